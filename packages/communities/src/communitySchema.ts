import * as z from 'zod'
import type { Asked, Community, EventSource } from './Community.ts'
import { type CandidateFields, candidate, resolveBindEvent, rewards, unbind, volumes, where } from './eventFields.ts'
import { address, argument, event, id, name, token } from './fields.ts'
import { addIssue, orNotAnObject } from './issues.ts'
import { parents } from './parentFields.ts'
import { bindPresets, presetNames } from './presets.ts'
import { listSources, topicOf } from './sources.ts'

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
  .transform(({ address, preset, order, event, member, referrer, where }, context) => ({
    address,
    ...resolveBindEvent(context, { preset, order, event, member, referrer, where }),
  }))

const listOf = <source extends z.ZodType>(source: source) => z.array(source, 'must be a list').optional()

const more = z.strictObject(
  { binds: listOf(moreBinds), unbinds: listOf(unbind), volumes: listOf(volumes), rewards: listOf(rewards) },
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
  rewards: rewards.optional(),
  volumes: volumes.optional(),
  more: more.optional(),
  tokens: z.strictObject({ volume: token.optional(), reward: token.optional() }, orNotAnObject).optional(),
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
    const { preset, order, event, member, referrer, where, parent, candidates, changes, ...value } = input
    const withAddress = <source extends object>(source: source & { address?: Community['address'] | undefined }) => ({
      ...source,
      address: source.address ?? value.address,
    })
    const asked = candidates && toAsked(candidates, value, changes ?? 'once')
    if (asked) refuseBinds(context, input)
    else if (changes) addIssue(context, 'needs candidates: without them, events tell the referrers', ['changes'])
    const bind = asked ? [] : [resolveBindEvent(context, { preset, order, event, member, referrer, where })]
    const rebind = asked?.changes === 'any' ? 'last' : (value.rebind ?? 'first')
    for (const [given, path] of [
      [value.unbind, ['unbind']],
      [value.more?.unbinds, ['more', 'unbinds']],
    ] as const)
      if (given && !asked && rebind !== 'last')
        addIssue(context, 'needs rebind: "last": with "first", a member keeps the first referrer', [...path])
    return {
      ...value,
      binds: [...bind, ...(value.more?.binds ?? [])].map(withAddress),
      asked,
      roots: value.roots ?? [],
      rebind,
      unbind: value.unbind && withAddress(value.unbind),
      rewards: value.rewards && withAddress(value.rewards),
      volumes: value.volumes && withAddress(value.volumes),
      more: {
        unbinds: (value.more?.unbinds ?? []).map(withAddress),
        volumes: (value.more?.volumes ?? []).map(withAddress),
        rewards: (value.more?.rewards ?? []).map(withAddress),
      },
      tokens: { volume: value.tokens?.volume, reward: value.tokens?.reward },
      parents: (parent ?? []).map(withAddress),
      explorer: value.explorer,
    }
  })
  .superRefine((community, context) => {
    const { unbind } = community
    const { binds, unbinds, volumes, rewards, candidates } = listSources(community)
    if (unbind && binds[0] && isSame(unbind, binds[0]))
      return addIssue(
        context,
        `is also the event of binds: each ${unbind.event.name} would bind and unbind at once; name another`,
        ['unbind', 'event'],
      )
    for (const [name, kind, sources] of [
      ['volumes', 'volume', volumes],
      ['rewards', 'reward', rewards],
    ] as const)
      if (sources.length > 0 && !community.tokens[kind])
        addIssue(
          context,
          `is missing beside ${name}: name the token of the amounts, as { "symbol": "USDT", "decimals": 18 }`,
          ['tokens', kind],
        )
    for (const sources of [[...binds, ...unbinds], volumes, rewards, candidates]) {
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

const isSame = (left: EventSource, right: EventSource) =>
  left.address === right.address &&
  topicOf(left.event) === topicOf(right.event) &&
  JSON.stringify(left.where) === JSON.stringify(right.where)
