import type { AbiFunction, AbiParameter } from 'viem'
import { encodeAbiParameters } from 'viem/utils'
import * as z from 'zod'
import type { ParentView } from './Community.ts'
import { address, parseAbi } from './fields.ts'
import { addIssue, orNotAnObject, reject, shorten } from './issues.ts'

const viewForm = 'function name(address) view returns (address)'

const viewFields = {
  view: z.string(`must be ABI text: write "${viewForm}"`).optional(),
  output: z.union([z.string(), z.int().min(0)], 'must be the name or the position of an output').optional(),
  args: z
    .array(z.union([z.string(), z.int(), z.boolean()]), 'must be a list of the values of the other inputs')
    .optional(),
}

/** A view that is called with the output of the one before, and perhaps leads to a further one. */
const nextFields = z.strictObject(
  {
    ...viewFields,
    get next(): z.ZodOptional<z.ZodType<NextInput, NextInput>> {
      return nextFields.optional()
    },
  },
  orNotAnObject,
)

const place = z
  .union([z.int().min(0), z.string().regex(/^0x[0-9a-f]{1,64}$/i)], 'must be a whole number, or 0x and hex digits')
  .transform(BigInt)

const way = z
  .strictObject(
    {
      ...viewFields,
      address: address.optional(),
      next: nextFields.optional(),
      slot: place.optional(),
      offset: place.optional(),
    },
    orNotAnObject,
  )
  .transform(({ address, slot, offset, ...view }, context) => {
    if (slot === undefined) {
      if (offset !== undefined) addIssue(context, 'needs slot', ['offset'])
      return { address, ...toView(context, view) }
    }
    if (view.view !== undefined) return reject(context, 'name a view or a slot, not both', ['slot'])
    return { address, kind: 'slot' as const, slot, offset: offset ?? 0n }
  })

/** Schema of the ways to read a member's referrer: the text of a view, an object, or a list of them. */
export const parents = z
  .unknown()
  .transform((value) =>
    (Array.isArray(value) ? value : [value]).map((one: unknown) => (typeof one === 'string' ? { view: one } : one)),
  )
  .pipe(z.array(way).min(1, 'must name at least one view').max(5, 'must name at most five views'))

type ViewInput = { view?: string | undefined; output?: string | number | undefined; args?: unknown[] | undefined }
type NextInput = z.output<z.ZodObject<typeof viewFields>> & { next?: NextInput | undefined }
type Step = { view: ParentView; type: string }

/** Largest number of views on the way to a referrer. */
const mostViews = 4

const toView = (context: z.core.$RefinementCtx, fields: NextInput): ParentView =>
  toViews(context, [], 'address', fields) ?? z.NEVER

/** Checks a view and those that it leads to: the last one returns an address. */
function toViews(
  context: z.core.$RefinementCtx,
  path: string[],
  takes: string,
  { next, ...fields }: NextInput,
): ParentView | undefined {
  if (path.length >= mostViews) return void addIssue(context, `must be absent: at most ${mostViews} views`, path)
  const step = toStep(context, fields, takes, next ? 'value' : 'address', path)
  if (!next || !step) return step?.view
  return { ...step.view, next: toViews(context, [...path, 'next'], step.type, next) }
}

/** Checks one view: it takes a value of the type `takes`, and its output is an address or any single value. */
function toStep(
  context: z.core.$RefinementCtx,
  { view: text, output, args = [] }: ViewInput,
  takes: string,
  gives: 'address' | 'value',
  path: string[],
): Step | undefined {
  const refuse = (field: string, message: string) => addIssue(context, message, [...path, field])
  const item = text === undefined ? undefined : parseAbi(text)
  if (item === undefined) return void refuse('view', `must be ABI text: write "${viewForm}"`)
  if (item instanceof Error)
    return void refuse('view', `"${shorten(text ?? '')}" is not ABI text: ${item.message} Write "${viewForm}"`)
  if (item.type !== 'function')
    return void refuse('view', `"${shorten(text ?? '')}" is a ${item.type}: write "${viewForm}"`)
  const input = item.inputs.findIndex(({ type }) => type === takes)
  if (input < 0 || !['view', 'pure'].includes(item.stateMutability))
    return void refuse('view', `must be a view that takes ${takes}: write "${viewForm.replace('address', takes)}"`)
  const others = item.inputs.filter((_, index) => index !== input)
  if (!canEncode(others, args))
    return void refuse(
      'args',
      `must hold the values of the other inputs: ${others.map(({ type }) => type).join(', ') || 'there are none'}`,
    )
  const found = findOutput(item.outputs, output, gives)
  if (typeof found === 'string') return void refuse('output', found)
  return {
    view: {
      kind: 'view',
      text: text as string,
      item: item as AbiFunction,
      input,
      args,
      path: found.path,
      next: undefined,
    },
    type: found.type,
  }
}

function canEncode(inputs: readonly AbiParameter[], values: unknown[]): boolean {
  try {
    encodeAbiParameters(inputs, values)
    return true
  } catch {
    return false
  }
}

/** A single value in the outputs of a view. */
type Leaf = { names: string[]; type: string; path: number[] }

/** Returns the output that a name or a position stands for, or the reason why there is none. */
function findOutput(
  outputs: readonly AbiParameter[],
  output: string | number | undefined,
  gives: 'address' | 'value',
): Leaf | string {
  const fits = ({ type }: Leaf) =>
    gives === 'address' ? type === 'address' : /^(address|u?int\d*|bytes\d+|string)$/.test(type)
  const isListOf = ({ type }: Leaf) => fits({ names: [], path: [], type: type.replace(/\[\d*\]$/, '') })
  const leaves = listLeaves(outputs)
  const [, name, index] = /^(.+?)(?:\[(\d+)\])?$/.exec(String(output)) ?? []
  const isNamed = ({ names, path }: Leaf) =>
    typeof output === 'number' ? path.length === 1 && path[0] === output : name !== undefined && names.includes(name)
  const found = leaves.filter(output === undefined ? fits : isNamed)
  const list = outputs.map(({ name, type }, at) => name || `${at}: ${type}`).join(', ') || 'nothing'
  const [leaf] = found
  const wanted = gives === 'address' ? 'an address' : 'one value'
  if (!leaf && output === undefined && !leaves.some(isListOf)) return `no output is ${wanted}: the view returns ${list}`
  if (!leaf || found.length > 1)
    return output === undefined
      ? `must name the output: the view returns ${list}`
      : `there is ${leaf ? 'more than one' : 'no'} output "${shorten(String(output))}": the view returns ${list}`
  const listed = /^(.+)\[\d*\]$/.exec(leaf.type)
  const result =
    listed && index !== undefined ? { ...leaf, type: listed[1] as string, path: [...leaf.path, Number(index)] } : leaf
  return fits(result) ? result : `the output "${shorten(String(output))}" is ${result.type}, not ${wanted}`
}

/** Lists the single values and lists in the outputs, each by its name, with or without those around it. */
function listLeaves(parameters: readonly AbiParameter[], around: string[] = [], above: number[] = []): Leaf[] {
  return parameters.flatMap((parameter, index): Leaf[] => {
    const path = [...above, index]
    const names = parameter.name ? [parameter.name, [...around, parameter.name].join('.')] : []
    if (parameter.type === 'tuple' && 'components' in parameter)
      return listLeaves(parameter.components, [...around, parameter.name ?? ''].filter(Boolean), path)
    return [{ names, type: parameter.type, path }]
  })
}
