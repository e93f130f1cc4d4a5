import { type AbiEvent, type AbiFunction, type AbiParameter, type Address, getAddress, parseAbiItem } from 'viem'
import * as z from 'zod'
import { ConfigError, type ConfigIssue } from './ConfigError.ts'
import { parseAddress } from './parseAddress.ts'

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

const event = z.string('must be the text of an event').transform((text, context) => {
  const item = parseAbi(text)
  if (item instanceof Error) return refuse(context, `"${shorten(text)}" is not ABI text: ${item.message}`)
  if (item.type !== 'event')
    return refuse(context, `"${shorten(text)}" is a ${item.type}; write "event Name(type indexed name, …)"`)
  const names = item.inputs.map(({ name }) => name ?? '')
  if (names.includes('')) return refuse(context, `argument ${names.indexOf('') + 1} has no name: name every argument`)
  if (new Set(names).size < names.length) return refuse(context, 'two arguments have the same name')
  return item
})

const view = z.string('must be the text of a function').transform((text, context) => {
  const item = parseAbi(text)
  if (item instanceof Error) return refuse(context, `"${shorten(text)}" is not ABI text: ${item.message}`)
  if (item.type !== 'function') return refuse(context, `"${shorten(text)}" is a ${item.type}, not a function`)
  const isAddress = (parameters: readonly AbiParameter[]) =>
    parameters.length === 1 && parameters[0]?.type === 'address'
  if (!isAddress(item.inputs) || !isAddress(item.outputs) || !['view', 'pure'].includes(item.stateMutability))
    return refuse(context, 'must be a view with one address argument that answers one address')
  return { text, item }
})

const label = z.string('must be a text').trim().min(1, 'must not be empty').max(80, 'is longer than 80 characters')
const argument = z.string('must be the name of an argument of the event').min(1, 'must not be empty')

const feed = z
  .strictObject({ address: address.optional(), event, member: argument, amount: argument }, { error: notAnObject })
  .superRefine((value, context) => {
    expectArgument(context, value.event, 'member', value.member, 'address')
    expectArgument(context, value.event, 'amount', value.amount, 'uint')
  })

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
      event,
      member: argument,
      referrer: argument,
      roots: z.array(address, 'must be a list of addresses').optional(),
      rebind: z.enum(['first', 'last'], 'must be "first" or "last"').optional(),
      rewards: feed.optional(),
      volumes: feed.optional(),
      tokens: z.strictObject({ volume: token.optional(), reward: token.optional() }, { error: notAnObject }).optional(),
      parentView: view.optional(),
      explorer: z
        .url({ protocol: /^https?$/, error: 'must be an http or https URL' })
        .transform((url) => url.replace(/\/+$/, ''))
        .optional(),
    },
    { error: notAnObject },
  )
  .superRefine((value, context) => {
    expectArgument(context, value.event, 'member', value.member, 'address')
    expectArgument(context, value.event, 'referrer', value.referrer, 'address')
    if (value.member === value.referrer)
      context.addIssue({ code: 'custom', path: ['referrer'], message: 'is the same argument as member' })
  })
  .transform(
    (value): Community => ({
      ...value,
      roots: value.roots ?? [],
      rebind: value.rebind ?? 'first',
      rewards: toFeed(value.rewards, value.address),
      volumes: toFeed(value.volumes, value.address),
      tokens: { volume: value.tokens?.volume, reward: value.tokens?.reward },
      parentView: value.parentView,
      explorer: value.explorer,
    }),
  )

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

function toFeed(value: z.output<typeof feed> | undefined, address: Address): Feed | undefined {
  return value && { ...value, address: value.address ?? address }
}

function parseAbi(text: string) {
  try {
    return parseAbiItem(text) as AbiEvent | AbiFunction | { type: 'constructor' | 'error' | 'fallback' | 'receive' }
  } catch (error) {
    const message = (error as { shortMessage?: string }).shortMessage ?? 'it cannot be parsed'
    return new Error(message.split('\n')[0])
  }
}

function refuse(context: z.core.$RefinementCtx, message: string): never {
  context.addIssue({ code: 'custom', message })
  return z.NEVER
}

function notAnObject({ code }: { code?: string }) {
  return code === 'invalid_type' ? 'must be an object' : undefined
}

function shorten(text: string): string {
  return text.length > 80 ? `${text.slice(0, 79)}…` : text
}
