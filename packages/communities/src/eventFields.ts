import type { AmountKind } from '@lineage/referral-api/amounts'
import type { AbiEvent, AbiFunction, Address, Hex } from 'viem'
import { encodeAbiParameters, parseAbiItem } from 'viem/utils'
import * as z from 'zod'
import type { AmountSource, BindSource, CallSource, CandidateSource, EventSource } from './Community.ts'
import { address, argument, event, expectArgument, parseAbi } from './fields.ts'
import { addIssue, orNotAnObject, reject, shorten } from './issues.ts'
import {
  type BindPreset,
  type BindPresetName,
  bindPresets,
  type Order,
  presetNames,
  type RewardPreset,
  rewardPresets,
} from './presets.ts'

/** Schema of the values that arguments of an event must have. */
export const where = z.record(
  z.string(),
  z.union([z.string(), z.int(), z.boolean()]),
  'must name arguments of the event with their values, as { "level": 0 }',
)

export type WhereInput = z.infer<typeof where> | undefined

/** Returns the values as the words of a log. */
function toWords(context: z.core.$RefinementCtx, { name: eventName, inputs }: AbiEvent, values: WhereInput) {
  const words: EventSource['where'] = {}
  for (const [name, value] of Object.entries(values ?? {})) {
    const input = inputs.find((one) => one.name === name)
    const refuse = (message: string) => addIssue(context, message, ['where', name])
    if (!input)
      refuse(`there is no argument "${shorten(name)}": ${eventName} has ${inputs.map((one) => one.name).join(', ')}`)
    else if (!/^(address|bool|u?int\d*|bytes\d+)$/.test(input.type))
      refuse(`${input.type} cannot be compared: name a number, an address or a flag`)
    else {
      const word = toWord(input.type, value)
      if (word) words[name] = word
      else refuse(`${shorten(JSON.stringify(value))} is no ${input.type}`)
    }
  }
  return words
}

function toWord(type: string, value: unknown): Hex | undefined {
  try {
    return encodeAbiParameters([{ type }], [typeof value === 'string' && /int/.test(type) ? BigInt(value) : value])
  } catch {
    return undefined
  }
}

/** A source whose address is that of the community if it has none of its own. */
type Unplaced<source> = Omit<source, 'address'> & { address?: Address | undefined }

export type BindEventInput = {
  event?: AbiEvent | undefined
  member?: string | undefined
  referrer?: string | undefined
  where?: WhereInput
  preset?: BindPresetName | undefined
  order?: Order | undefined
}

/** Returns the event of a bind and its two arguments, from the fields or the preset, never guessed. */
export function resolveBindEvent(context: z.core.$RefinementCtx, input: BindEventInput): Unplaced<BindSource> {
  if (input.order && !input.preset)
    addIssue(context, 'applies to presets only: name member and referrer instead', ['order'])
  const preset = input.preset && bindPresets[input.preset]
  const event = input.event ?? (preset && (parseAbiItem(preset.event) as AbiEvent))
  if (!event) return reject(context, 'must be the text of an event, or preset the name of a known one', ['event'])
  const order = input.order ?? (preset?.orders === 'either' ? undefined : preset?.orders)
  const [first, second] = event.inputs.map(({ name }) => name)
  const member = input.member ?? (order && (order === 'memberFirst' ? first : second))
  const referrer = input.referrer ?? (order && (order === 'memberFirst' ? second : first))
  if (preset && !(member && referrer))
    return reject(
      context,
      `must be "memberFirst" or "referrerFirst": ${event.name} is deployed with both orders, so look at a few transactions of the contract`,
      ['order'],
    )
  if (!member) return reject(context, 'must be the name of an argument of the event', ['member'])
  if (!referrer) return reject(context, 'must be the name of an argument of the event', ['referrer'])
  expectArgument(context, event, 'member', member, 'address')
  expectArgument(context, event, 'referrer', referrer, 'address')
  if (member === referrer) addIssue(context, 'is the same argument as member: name the other one', ['referrer'])
  return {
    event,
    member,
    referrer,
    where: toWords(context, event, {
      ...(input.event ? {} : (preset as BindPreset | undefined)?.where),
      ...input.where,
    }),
  }
}

const amountFields = {
  address: address.optional(),
  event: event.optional(),
  where: where.optional(),
  member: argument.optional(),
  amount: argument.optional(),
}

const volumes = z
  .strictObject(amountFields, orNotAnObject)
  .transform((value, context) => toAmountSource(context, value))

const rewards = z
  .strictObject(
    { ...amountFields, from: argument.optional(), preset: presetNames(rewardPresets).optional() },
    orNotAnObject,
  )
  .transform(({ preset, ...value }, context) => {
    if (!preset) return toRewardSource(context, value)
    const { event: text, from, ...names }: RewardPreset = rewardPresets[preset]
    // The `from` of a preset does not apply to another event or another member.
    const source = value.event || value.member === from ? undefined : from
    return toRewardSource(context, { ...names, from: source, event: parseAbiItem(text) as AbiEvent, ...value })
  })

/** Schemas of the events that state amounts, by kind. Their fields bear the names of the kinds, with an s. */
export const amountSources = { volume: volumes, reward: rewards } satisfies Record<AmountKind, z.ZodType>

export const unbind = z
  .strictObject({ address: address.optional(), event, member: argument, where: where.optional() }, orNotAnObject)
  .transform((value, context) => {
    expectArgument(context, value.event, 'member', value.member, 'address')
    return { ...value, where: toWords(context, value.event, value.where) }
  })

type AmountInput = { [key in keyof Omit<AmountSource, 'where'>]?: AmountSource[key] | undefined } & {
  where?: WhereInput
}

function toRewardSource(
  context: z.core.$RefinementCtx,
  { from, ...value }: AmountInput & { from?: string | undefined },
) {
  if (value.event && from !== undefined) expectArgument(context, value.event, 'from', from, 'address')
  return { ...toAmountSource(context, value), from }
}

/** Checks that the source of amounts is complete. */
function toAmountSource(context: z.core.$RefinementCtx, { address, event, member, amount, where }: AmountInput) {
  if (!event) return reject(context, 'must be the text of an event', ['event'])
  if (!member) return reject(context, 'must be the name of an argument of the event', ['member'])
  if (!amount) return reject(context, 'must be the name of an argument of the event', ['amount'])
  expectArgument(context, event, 'member', member, 'address')
  expectArgument(context, event, 'amount', amount, 'uint')
  return { address, event, member, amount, where: toWords(context, event, where) }
}

const functionForm = 'function name(address referrer)'

const fields = {
  address: address.optional(),
  event: event.optional(),
  file: z.string('must be the name of a file').min(1, 'must not be empty').max(500, 'is too long').optional(),
  calls: z.union([z.literal(true), z.string()], `must be true, or "${functionForm}"`).optional(),
  members: z.array(argument, 'must be a list of arguments').min(1, 'must name at least one argument').optional(),
  where: where.optional(),
  fromBlock: z.int('must be the number of a block').min(0, 'must not be negative').optional(),
}

/** Where addresses that may be members come from. `fromBlock` is `undefined` for the first block of the community. */
export type CandidateFields =
  | ({ from: 'event' } & Unplaced<CandidateSource>)
  | ({ from: 'calls' } & Unplaced<Omit<CallSource, 'fromBlock'>> & { fromBlock: number | undefined })
  | { from: 'file'; file: string }

/** Schema of an event, a file or calls that name addresses that may be members. */
export const candidate = z.strictObject(fields, orNotAnObject).transform((input, context): CandidateFields => {
  const { event, file, calls } = input
  if ([event, file, calls].filter((one) => one !== undefined).length !== 1)
    return reject(context, 'must have one of event, file and calls')
  const own = event ? ['address', 'members', 'where'] : file === undefined ? ['address', 'members', 'fromBlock'] : []
  for (const name of ['address', 'members', 'where', 'fromBlock'] as const)
    if (input[name] !== undefined && !own.includes(name))
      addIssue(context, `does not apply to ${event ? 'an event' : file === undefined ? 'calls' : 'a file'}`, [name])
  if (file !== undefined) return { from: 'file', file }
  if (calls !== undefined) return toCalls(context, { ...input, calls })
  return toEvent(context, input)
})

type Input = z.output<z.ZodObject<typeof fields>>

function toEvent(context: z.core.$RefinementCtx, { address, event, members, where }: Input): CandidateFields {
  if (!event || !members) return reject(context, 'must be a list of arguments of the event', ['members'])
  for (const [index, member] of members.entries())
    expectArgument(context, event, 'members', member, 'addresses', [index])
  return { from: 'event', address, event, members, where: toWords(context, event, where) }
}

function toCalls(
  context: z.core.$RefinementCtx,
  { address, calls, members, fromBlock }: Input & { calls: true | string },
): CandidateFields {
  const item = calls === true ? undefined : toFunction(context, calls)
  const inputs = item?.inputs ?? []
  if (inputs.some(({ name }) => name === 'sender'))
    addIssue(context, '"sender" is the address that calls: give the argument another name', ['calls'])
  const listed = ['sender', ...inputs.filter(({ type }) => /^address(\[\])?$/.test(type)).map(({ name }) => name ?? '')]
  for (const [index, member] of (members ?? listed).entries())
    if (!listed.includes(member) || member === '')
      addIssue(
        context,
        `there is no address "${shorten(member)}" in the call: name ${listed.filter(Boolean).join(', ')}`,
        [members ? 'members' : 'calls', ...(members ? [index] : [])],
      )
  return { from: 'calls', address, item, members: members ?? listed, fromBlock }
}

function toFunction(context: z.core.$RefinementCtx, text: string): AbiFunction | undefined {
  const item = parseAbi(text)
  if (!(item instanceof Error) && item.type === 'function') return item as AbiFunction
  addIssue(context, `"${shorten(text)}" is not the text of a function: write "${functionForm}", or true`, ['calls'])
  return undefined
}
