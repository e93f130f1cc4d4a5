import type { AbiEvent, AbiFunction } from 'viem'
import { getAddress, parseAbiItem } from 'viem/utils'
import * as z from 'zod'
import { parseAddress } from './address.ts'
import { addIssue, orNotAnObject, reject, shorten } from './issues.ts'

const idPattern = /^[a-z0-9](?:[a-z0-9-]{0,38}[a-z0-9])?$/
const eventForm = 'event Name(type indexed name, …)'

export const id = z
  .string('must be a string')
  .regex(idPattern, 'must be 1 to 40 of a–z, 0–9 and "-", and not begin or end with "-": it is part of URLs')

const label = z.string('must be a string').trim().min(1, 'must not be empty').max(80, 'must have at most 80 characters')

/** Matches a language tag, like the `lang` attribute of a page. */
const languagePattern = /^[a-z]{2,3}(?:-[A-Za-z0-9]{2,8})*$/

/** Schema of one name for all languages, or of names by language. */
export const name = z.union(
  [
    label,
    z
      .record(z.string().regex(languagePattern), label)
      .refine((names) => Object.keys(names).length > 0 && Object.keys(names).length <= 20),
  ],
  'must be a text of at most 80 characters, or such texts by language, as { "zh-CN": "…", "en": "…" }',
)

export const argument = z.string('must be the name of an argument of the event').min(1, 'must not be empty')

export const address = z.string('must be an address in quotes').transform((text, context) => {
  const parsed = parseAddress(text)
  if (parsed.status === 'valid') return getAddress(parsed.address)
  return reject(
    context,
    parsed.status === 'checksum'
      ? `"${shorten(text)}" has a wrong checksum: check it for a typo, or write it in lower case`
      : `"${shorten(text)}" is not an address: write 0x and 40 hex digits`,
  )
})

export const event = z.string(`must be ABI text: write "${eventForm}"`).transform((text, context) => {
  const item = parseAbi(text)
  if (item instanceof Error)
    return reject(context, `"${shorten(text)}" is not ABI text: ${item.message} Write "${eventForm}"`)
  if (item.type !== 'event') return reject(context, `"${shorten(text)}" is a ${item.type}: write "${eventForm}"`)
  const names = item.inputs.map(({ name }) => name ?? '')
  if (names.includes('')) return reject(context, `argument ${names.indexOf('') + 1} has no name: name every argument`)
  if (new Set(names).size < names.length) return reject(context, 'two arguments have the same name: rename one')
  const indexed = item.inputs.filter((input) => input.indexed).length
  if (indexed > 3) return reject(context, `${indexed} arguments are indexed: an event has at most three`)
  return item
})

export const token = z.strictObject(
  {
    symbol: label,
    decimals: z.int('must be a whole number').min(0, 'must not be negative').max(36, 'must not be above 36'),
  },
  orNotAnObject,
)

/** Matches the topic of an event, or the selector of a view, in place of its name. */
const hashAsName = /^(?:event +(0x[0-9a-f]{64})|function +(0x[0-9a-f]{8}))(?= *\()/

/** Parses the text of an event or a view. One whose name is not known has its topic or selector as name. */
export function parseAbi(text: string) {
  try {
    const [, topic, selector] = hashAsName.exec(text) ?? []
    const hash = topic ?? selector
    const item = parseAbiItem(hash === undefined ? text : text.replace(hash, 'unknown')) as
      | AbiEvent
      | AbiFunction
      | { type: 'constructor' | 'error' | 'fallback' | 'receive' }
    return hash === undefined ? item : { ...item, name: hash }
  } catch (error) {
    const message = (error as { shortMessage?: string }).shortMessage ?? 'It cannot be parsed.'
    return new Error(message.split('\n')[0])
  }
}

const argumentTypes = {
  address: { form: /^address$/, name: 'an address' },
  // A log holds only the hash of an indexed list.
  addresses: { form: /^address(\[\])?$/, name: 'an address, or a list of addresses that is not indexed' },
  uint: { form: /^uint\d*$/, name: 'an unsigned integer' },
}

/** Adds an issue at `field` unless the event has an argument of that name and type. */
export function expectArgument(
  context: z.core.$RefinementCtx,
  { name: eventName, inputs }: AbiEvent,
  field: string,
  argument: string,
  type: keyof typeof argumentTypes,
  at: number[] = [],
): void {
  const input = inputs.find(({ name }) => name === argument)
  if (!input) {
    const names = inputs.map(({ name }) => name).join(', ') || 'none'
    addIssue(context, `there is no argument "${shorten(argument)}": ${eventName} has ${names}`, [field, ...at])
  } else if (!argumentTypes[type].form.test(input.type) || (input.indexed && input.type === 'address[]')) {
    const expected = argumentTypes[type].name
    addIssue(context, `the argument "${shorten(argument)}" is ${input.type}: name one that is ${expected}`, [
      field,
      ...at,
    ])
  }
}
