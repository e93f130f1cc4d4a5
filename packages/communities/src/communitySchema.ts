import { type AmountKind, amountKinds, byAmountKind } from '@lineage/referral-api/amounts'
import * as z from 'zod'
import type { Asked, Community, EventSource } from './Community.ts'
import { amountSources, type CandidateFields, candidate, resolveBindEvent, unbind, where } from './eventFields.ts'
import { address, argument, event, id, name, token } from './fields.ts'
import { addIssue, orNotAnObject } from './issues.ts'
import { parents } from './parentFields.ts'
import { bindPresets, presetNames } from './presets.ts'
import { topicOf } from './sources.ts'

const bindFields = {
  preset: presetNames(bindPresets).optional(),
  order: z.enum(['memberFirst', 'referrerFirst'], 'must be "memberFirst" or "referrerFirst"').optional(),
  event: event.optional(),
  member: argument.optional(),
  referrer: argument.optional(),
  where: where.optional(),
}

const moreBinds = z
  .strictObject({ address: address.optional(), ...bindFields }, orNotAnObject)
  .transform(({ address, ...input }, context) => ({ address, ...resolveBindEvent(context, input) }))

const listOf = <source extends z.ZodType>(source: source) => z.array(source, 'must be a list').optional()

/** Returns the fields of the amounts, each with a schema made of that of its events. */
const amountFields = (of: (source: z.ZodType) => z.ZodType) =>
  Object.fromEntries(amountKinds.map((kind) => [`${kind}s`, of(amountSources[kind])]))

type AmountFields = { [kind in AmountKind as `${kind}s`]: z.ZodOptional<(typeof amountSources)[kind]> }
type AmountLists = { [kind in AmountKind as `${kind}s`]: z.ZodOptional<z.ZodArray<(typeof amountSources)[kind]>> }

const tokenFields = byAmountKind(() => token.optional())

const more = z.strictObject(
  { binds: listOf(moreBinds), unbinds: listOf(unbind), ...(amountFields(listOf) as AmountLists) },
  orNotAnObject,
)

const fields = {
  id,
  name,
  chainId: z.literal(56, 'must be 56, BNB Smart Chain'),
  address,
  startBlock: z
    .int('must be the number of the block the contract was deployed in: without it every block would be read')
    .min(0, 'must not be negative'),
  ...bindFields,
  roots: z.array(address, 'must be a list of addresses').optional(),
  rebind: z.enum(['first', 'last'], 'must be "first" or "last"').optional(),
  unbind: unbind.optional(),
  ...(amountFields((source) => source.optional()) as AmountFields),
  more: more.optional(),
  tokens: z.strictObject(tokenFields, orNotAnObject).optional(),
  parent: parents.optional(),
  candidates: z
    .array(candidate, 'must be a list of events, files and calls')
    .min(1, 'must name at least one event, file or kind of calls')
    .optional(),
  changes: z.enum(['once', 'any'], 'must be "once" or "any"').optional(),
  explorer: z
    .url({ protocol: /^https?$/, error: 'must be an http or https URL' })
    .transform((url) => url.replace(/\/+$/, ''))
    .optional(),
}

/** Schema of a community as written in a configuration. Fills in presets and defaults. */
export const communitySchema = z
  .strictObject(fields, orNotAnObject)
  .transform((input, context): Community => {
    const { id, name, chainId, address, startBlock, explorer, more, tokens, candidates, changes } = input
    /** Joins an event and further ones, and adds the address of the community to those without one. */
    const join = <source extends { address?: Community['address'] | undefined }>(
      first: source | undefined,
      others: source[] | undefined = [],
    ) => [...(first ? [first] : []), ...others].map((source) => ({ ...source, address: source.address ?? address }))
    const asked = candidates && toAsked(candidates, input, changes ?? 'once')
    if (asked) refuseBinds(context, input)
    else if (changes) addIssue(context, 'needs candidates: without them, events tell the referrers', ['changes'])
    const binds = join(asked ? undefined : resolveBindEvent(context, input), more?.binds)
    const rebind = asked?.changes === 'any' ? 'last' : (input.rebind ?? 'first')
    for (const [given, path] of [
      [input.unbind, ['unbind']],
      [more?.unbinds, ['more', 'unbinds']],
    ] as const)
      if (given && !asked && rebind !== 'last')
        addIssue(context, 'needs rebind: "last": with "first", a member keeps the first referrer', [...path])
    const [unbind] = join(input.unbind)
    // A bind that was refused above has no event.
    if (unbind && binds[0]?.event && isSame(unbind, binds[0]))
      addIssue(
        context,
        `is also the event of binds: each ${unbind.event.name} would bind and unbind at once; name another`,
        ['unbind', 'event'],
      )
    return {
      ...{ id, name, chainId, address, startBlock, explorer, binds, rebind, asked },
      roots: input.roots ?? [],
      unbinds: join(input.unbind, more?.unbinds),
      amounts: byAmountKind((kind) => join(input[`${kind}s`], more?.[`${kind}s`])),
      tokens: byAmountKind((kind) => tokens?.[kind]),
      parents: join(undefined, input.parent),
    }
  })
  .superRefine((community, context) => {
    const { binds, unbinds, amounts, tokens, asked } = community
    for (const kind of amountKinds)
      if (amounts[kind].length > 0 && !tokens[kind])
        addIssue(
          context,
          `is missing beside ${kind}s: name the token of the amounts, as { "symbol": "USDT", "decimals": 18 }`,
          ['tokens', kind],
        )
    for (const sources of [[...binds, ...unbinds], ...Object.values(amounts), asked?.candidates ?? []]) {
      const again = sources.find((source, index) => sources.slice(0, index).some((other) => isSame(source, other)))
      // Two rows of one log would have the same key.
      if (again) addIssue(context, `${again.event.name} of ${again.address} is there twice: name it once`, ['more'])
    }
  })

function toAsked(
  candidates: readonly CandidateFields[],
  { address, startBlock }: Pick<Community, 'address' | 'startBlock'>,
  changes: Asked['changes'],
): Asked {
  return {
    candidates: candidates.flatMap((one) =>
      one.from === 'event' ? [{ ...one, address: one.address ?? address }] : [],
    ),
    files: candidates.flatMap((one) => (one.from === 'file' ? [one.file] : [])),
    calls: candidates.flatMap((one) =>
      one.from === 'calls'
        ? [{ ...one, address: one.address ?? address, fromBlock: Math.max(one.fromBlock ?? 0, startBlock) }]
        : [],
    ),
    changes,
  }
}

/** Refuses what would say for a second time who a member's referrer is. */
function refuseBinds(context: z.core.$RefinementCtx, input: z.infer<z.ZodObject<typeof fields>>): void {
  const names = ['preset', 'order', 'event', 'member', 'referrer', 'where', 'rebind', 'unbind'] as const
  for (const name of names)
    if (input[name] !== undefined)
      addIssue(context, 'must be absent beside candidates: the contract tells the referrers', [name])
  for (const name of ['binds', 'unbinds'] as const)
    if (input.more?.[name]) addIssue(context, 'must be absent beside candidates', ['more', name])
  if (!input.parent) addIssue(context, 'must name the view that returns the referrer of a candidate', ['parent'])
}

const countIndexed = ({ inputs }: EventSource['event']) => inputs.filter(({ indexed }) => indexed).length

const isSame = (left: EventSource, right: EventSource) =>
  left.address === right.address &&
  topicOf(left.event) === topicOf(right.event) &&
  // After an upgrade, a contract may index more or fewer arguments: the number of topics tells which form a log has.
  countIndexed(left.event) === countIndexed(right.event) &&
  JSON.stringify(left.where) === JSON.stringify(right.where)
