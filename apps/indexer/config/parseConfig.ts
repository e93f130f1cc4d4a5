import {
  type AbiEvent,
  type AbiFunction,
  type AbiParameter,
  type Address,
  getAddress,
  parseAbiItem,
  toEventSelector,
} from 'viem'
import * as z from 'zod'
import { ConfigError, type ConfigIssue } from './ConfigError.ts'
import { parseAddress } from './parseAddress.ts'
import { type BindPresetName, bindPresets, type Order, type RewardPresetName, rewardPresets } from './presets.ts'

/** Text of an ABI item, and what it says. */
type AbiText<item> = { text: string; item: item }

/** Where amounts of a member are read from: one event of one contract. */
export type Feed = { address: Address; event: AbiEvent; member: string; amount: string }

/** One referral contract and how to read it. */
export type Community = {
  id: string
  name: string
  chainId: 56
  address: Address
  startBlock: number
  event: AbiEvent
  member: string
  referrer: string
  roots: Address[]
  rebind: 'first' | 'last'
  /** The event that takes a member's referrer away. */
  unbind: { address: Address; event: AbiEvent; member: string } | undefined
  rewards: Feed | undefined
  volumes: Feed | undefined
  tokens: { volume: Token | undefined; reward: Token | undefined }
  parentView: AbiText<AbiFunction> | undefined
  explorer: string | undefined
}

export type Token = { symbol: string; decimals: number }
export type Config = { communities: Community[] }

/** A configuration as it is written: see `parseConfig` for what each field must hold. */
export type ConfigInput = z.input<typeof config>

const idPattern = /^[a-z0-9](?:[a-z0-9-]{0,38}[a-z0-9])?$/

const address = z.string('must be an address').transform((text, context) => {
  const parsed = parseAddress(text)
  if (parsed.status === 'valid') return getAddress(parsed.address)
  return refuse(
    context,
    parsed.status === 'checksum'
      ? `"${shorten(text)}" has a wrong checksum: check it, or write it in lower case`
      : `"${shorten(text)}" is not an address (0x and 40 hex digits)`,
  )
})

const eventForm = 'event Name(type indexed name, …)'
const viewForm = 'function name(address) view returns (address)'

const event = z.string('must be the text of an event').transform((text, context) => {
  const item = parseAbi(text)
  if (item instanceof Error)
    return refuse(context, `"${shorten(text)}" is not ABI text: ${item.message} Write "${eventForm}"`)
  if (item.type !== 'event') return refuse(context, `"${shorten(text)}" is a ${item.type}; write "${eventForm}"`)
  const names = item.inputs.map(({ name }) => name ?? '')
  if (names.includes('')) return refuse(context, `argument ${names.indexOf('') + 1} has no name: name every argument`)
  if (new Set(names).size < names.length) return refuse(context, 'two arguments have the same name')
  const indexed = item.inputs.filter((input) => input.indexed).length
  if (indexed > 3) return refuse(context, `${indexed} arguments are indexed: an event has room for three`)
  return item
})

const view = z.string('must be the text of a function').transform((text, context) => {
  const item = parseAbi(text)
  if (item instanceof Error)
    return refuse(context, `"${shorten(text)}" is not ABI text: ${item.message} Write "${viewForm}"`)
  if (item.type !== 'function') return refuse(context, `"${shorten(text)}" is a ${item.type}, not a function`)
  const isAddress = (parameters: readonly AbiParameter[]) =>
    parameters.length === 1 && parameters[0]?.type === 'address'
  if (!isAddress(item.inputs) || !isAddress(item.outputs) || !['view', 'pure'].includes(item.stateMutability))
    return refuse(context, 'must be a view with one address argument that answers one address')
  return { text, item }
})

const label = z.string('must be a text').trim().min(1, 'must not be empty').max(80, 'is longer than 80 characters')
const argument = z.string('must be the name of an argument of the event').min(1, 'must not be empty')

const feedFields = { address: address.optional(), event: event.optional(), member: argument.optional() }

const volumes = z
  .strictObject({ ...feedFields, amount: argument.optional() }, { error: notAnObject })
  .transform((value, context) => toFeed(context, value))

const rewards = z
  .strictObject(
    {
      ...feedFields,
      amount: argument.optional(),
      preset: z.enum(namesOf(rewardPresets), presetError(rewardPresets)).optional(),
    },
    { error: notAnObject },
  )
  .transform(({ preset, ...value }, context) => {
    if (!preset) return toFeed(context, value)
    const { event: text, ...names } = rewardPresets[preset]
    return toFeed(context, { ...names, event: parseAbiItem(text) as AbiEvent, ...value })
  })

const unbind = z
  .strictObject({ address: address.optional(), event, member: argument }, { error: notAnObject })
  .superRefine((value, context) => expectArgument(context, value.event, 'member', value.member, 'address'))

const token = z.strictObject(
  {
    symbol: label,
    decimals: z.int('must be a whole number').min(0, 'must not be negative').max(36, 'must not be above 36'),
  },
  { error: notAnObject },
)

const community = z
  .strictObject(
    {
      id: z
        .string('must be a text')
        .regex(idPattern, 'must be 1 to 40 of a–z, 0–9 and "-", as it is part of the address of a page'),
      name: label,
      chainId: z.literal(56, 'must be 56, BNB Smart Chain'),
      address,
      startBlock: z
        .int('must be the number of the block the contract was made in: without it every block would be read')
        .min(0, 'must not be negative'),
      preset: z.enum(namesOf(bindPresets), presetError(bindPresets)).optional(),
      order: z.enum(['memberFirst', 'referrerFirst'], 'must be "memberFirst" or "referrerFirst"').optional(),
      event: event.optional(),
      member: argument.optional(),
      referrer: argument.optional(),
      roots: z.array(address, 'must be a list of addresses').optional(),
      rebind: z.enum(['first', 'last'], 'must be "first" or "last"').optional(),
      unbind: unbind.optional(),
      rewards: rewards.optional(),
      volumes: volumes.optional(),
      tokens: z.strictObject({ volume: token.optional(), reward: token.optional() }, { error: notAnObject }).optional(),
      parentView: view.optional(),
      explorer: z
        .url({ protocol: /^https?$/, error: 'must be an http or https URL' })
        .transform((url) => url.replace(/\/+$/, ''))
        .optional(),
    },
    { error: notAnObject },
  )
  .transform(({ preset, order, event, member, referrer, ...value }, context): Community => {
    const binds = toBinds(context, { preset, order, event, member, referrer })
    if (value.unbind && value.rebind !== 'last')
      refuse(context, 'needs rebind: "last", or the first bind stays whatever comes later', ['unbind'])
    return {
      ...value,
      ...binds,
      roots: value.roots ?? [],
      rebind: value.rebind ?? 'first',
      unbind: value.unbind && { ...value.unbind, address: value.unbind.address ?? value.address },
      rewards: value.rewards && { ...value.rewards, address: value.rewards.address ?? value.address },
      volumes: value.volumes && { ...value.volumes, address: value.volumes.address ?? value.address },
      tokens: { volume: value.tokens?.volume, reward: value.tokens?.reward },
      parentView: value.parentView,
      explorer: value.explorer,
    }
  })
  .superRefine(({ address, event, unbind }, context) => {
    if (unbind?.address === address && toEventSelector(unbind.event) === toEventSelector(event))
      refuse(context, `is the event of the binds: each ${event.name} would bind and un-bind at once`, [
        'unbind',
        'event',
      ])
  })

const config = z.strictObject(
  {
    communities: z
      .array(community, 'must be a list of communities')
      .min(1, 'must hold at least one community')
      .superRefine((communities, context) => {
        for (const [index, { id }] of communities.entries())
          if (communities.findIndex((other) => other.id === id) < index)
            context.addIssue({
              code: 'custom',
              path: [index, 'id'],
              message: `"${id}" is taken by an earlier community`,
            })
      }),
  },
  { error: notAnObject },
)

/**
 * Checks a configuration and reads its ABI texts.
 *
 * @example
 * parseConfig({ communities: [{
 *   id: 'panther', name: 'PantherSwap', chainId: 56, address: '0x…', startBlock: 7_500_000,
 *   event: 'event ReferralRecorded(address indexed user, address indexed referrer)',
 *   member: 'user', referrer: 'referrer',
 * }] })
 *
 * @throws {ConfigError} and nothing else
 */
export function parseConfig(input: unknown): Config {
  let result: z.ZodSafeParseResult<Config>
  try {
    result = config.safeParse(input)
  } catch (cause) {
    throw new ConfigError([{ path: '', community: undefined, reason: 'the configuration cannot be read' }], { cause })
  }
  if (result.success) return result.data
  throw new ConfigError(result.error.issues.map((issue) => toIssue(issue, input)))
}

function toIssue({ code, path, message, ...issue }: z.core.$ZodIssue, input: unknown): ConfigIssue {
  const [list, index] = path
  let community: string | undefined
  if (list === 'communities' && typeof index === 'number') {
    const id = (input as { communities: { id?: unknown }[] }).communities[index]?.id
    if (typeof id === 'string') community = shorten(id)
  }
  const keys = code === 'unrecognized_keys' && 'keys' in issue ? (issue.keys as string[]) : undefined
  return {
    path: path.reduce<string>(
      (text, key) => (typeof key === 'number' ? `${text}[${key}]` : `${text}${text && '.'}${String(key)}`),
      '',
    ),
    community,
    reason: keys ? `unknown field ${keys.map((key) => `"${shorten(key)}"`).join(', ')}` : message,
  }
}

function expectArgument(
  context: z.core.$RefinementCtx,
  { name: eventName, inputs }: AbiEvent,
  field: string,
  name: string,
  kind: 'address' | 'uint',
) {
  const input = inputs.find((candidate) => candidate.name === name)
  const fits = kind === 'address' ? input?.type === 'address' : input !== undefined && /^uint\d*$/.test(input.type)
  if (fits) return
  const has = `${eventName} has ${inputs.map((candidate) => candidate.name).join(', ') || 'none'}`
  context.addIssue({
    code: 'custom',
    path: [field],
    message: input
      ? `the argument "${shorten(name)}" is ${input.type}, not ${kind === 'uint' ? 'an unsigned integer' : 'an address'}`
      : `there is no argument "${shorten(name)}": ${has}`,
  })
}

type Binds = Pick<Community, 'event' | 'member' | 'referrer'>

/** What a preset says and nothing overrides. The order of two addresses is never guessed. */
function toBinds(
  context: z.core.$RefinementCtx,
  {
    preset,
    order,
    event: ownEvent,
    member: ownMember,
    referrer: ownReferrer,
  }: { [key in keyof Binds]: Binds[key] | undefined } & {
    preset: BindPresetName | undefined
    order: Order | undefined
  },
): Binds {
  if (order && !preset) refuse(context, 'goes with a preset: without one, name member and referrer', ['order'])
  const known = preset && bindPresets[preset]
  const item = ownEvent ?? (known && (parseAbiItem(known.event) as AbiEvent))
  if (!item) return refuse(context, 'must be the text of an event, or preset the name of a known one', ['event'])
  const chosen = order ?? (known?.orders === 'memberFirst' ? 'memberFirst' : undefined)
  const names = item.inputs.map(({ name }) => name)
  const [first, second] = chosen === 'referrerFirst' ? [names[1], names[0]] : names
  const member = ownMember ?? (chosen && first)
  const referrer = ownReferrer ?? (chosen && second)
  if (known && !(member && referrer))
    return refuse(
      context,
      `must be "memberFirst" or "referrerFirst": ${item.name} is deployed with both orders, so look at a few transactions of the contract`,
      ['order'],
    )
  if (!member) return refuse(context, 'must be the name of an argument of the event', ['member'])
  if (!referrer) return refuse(context, 'must be the name of an argument of the event', ['referrer'])
  expectArgument(context, item, 'member', member, 'address')
  expectArgument(context, item, 'referrer', referrer, 'address')
  if (member === referrer) refuse(context, 'is the same argument as member', ['referrer'])
  return { event: item, member, referrer }
}

type FeedInput = { [key in keyof Feed]?: Feed[key] | undefined }

function toFeed(
  context: z.core.$RefinementCtx,
  { address, event: item, member, amount }: FeedInput,
): Omit<Feed, 'address'> & { address: Address | undefined } {
  if (!item) return refuse(context, 'must be the text of an event', ['event'])
  if (!member) return refuse(context, 'must be the name of an argument of the event', ['member'])
  if (!amount) return refuse(context, 'must be the name of an argument of the event', ['amount'])
  expectArgument(context, item, 'member', member, 'address')
  expectArgument(context, item, 'amount', amount, 'uint')
  return { address, event: item, member, amount }
}

function namesOf<name extends BindPresetName | RewardPresetName>(presets: Record<name, unknown>) {
  return Object.keys(presets) as [name, ...name[]]
}

function presetError(presets: Partial<Record<BindPresetName | RewardPresetName, unknown>>) {
  return `must be one of ${Object.keys(presets).join(', ')}`
}

function parseAbi(text: string) {
  try {
    return parseAbiItem(text) as AbiEvent | AbiFunction | { type: 'constructor' | 'error' | 'fallback' | 'receive' }
  } catch (error) {
    const message = (error as { shortMessage?: string }).shortMessage ?? 'it cannot be parsed'
    return new Error(message.split('\n')[0])
  }
}

function refuse(context: z.core.$RefinementCtx, message: string, path: string[] = []): never {
  context.addIssue({ code: 'custom', path, message })
  return z.NEVER
}

function notAnObject({ code }: { code?: string }) {
  return code === 'invalid_type' ? 'must be an object' : undefined
}

function shorten(text: string): string {
  return text.length > 80 ? `${text.slice(0, 79)}…` : text
}
