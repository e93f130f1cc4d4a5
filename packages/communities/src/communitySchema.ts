import { toEventSelector } from 'viem'
import * as z from 'zod'
import type { Community } from './Community.ts'
import { resolveBindEvent, rewards, unbind, volumes } from './eventFields.ts'
import { address, argument, event, id, name, token, view } from './fields.ts'
import { addIssue, orNotAnObject } from './issues.ts'
import { bindPresets, presetNames } from './presets.ts'
import { listSources } from './sources.ts'

const bindFields = {
  preset: presetNames(bindPresets).optional(),
  order: z.enum(['memberFirst', 'referrerFirst'], 'must be "memberFirst" or "referrerFirst"').optional(),
  event: event.optional(),
  member: argument.optional(),
  referrer: argument.optional(),
}

const moreBinds = z
  .strictObject({ address: address.optional(), ...bindFields }, orNotAnObject)
  .transform(({ address, preset, order, event, member, referrer }, context) => ({
    address,
    ...resolveBindEvent(context, { preset, order, event, member, referrer }),
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
  parentView: view.optional(),
  explorer: z
    .url({ protocol: /^https?$/, error: 'must be an http or https URL' })
    .transform((url) => url.replace(/\/+$/, ''))
    .optional(),
}

/** Schema of a community as written in a configuration. Fills in presets and defaults. */
export const communitySchema = z
  .strictObject(fields, orNotAnObject)
  .transform(({ preset, order, event, member, referrer, ...value }, context): Community => {
    const bindEvent = resolveBindEvent(context, { preset, order, event, member, referrer })
    for (const [given, path] of [
      [value.unbind, ['unbind']],
      [value.more?.unbinds, ['more', 'unbinds']],
    ] as const)
      if (given && value.rebind !== 'last')
        addIssue(context, 'needs rebind: "last": with "first", a member keeps the first referrer', [...path])
    const withAddress = <source extends object>(source: source & { address?: Community['address'] | undefined }) => ({
      ...source,
      address: source.address ?? value.address,
    })
    return {
      ...value,
      ...bindEvent,
      roots: value.roots ?? [],
      rebind: value.rebind ?? 'first',
      unbind: value.unbind && withAddress(value.unbind),
      rewards: value.rewards && withAddress(value.rewards),
      volumes: value.volumes && withAddress(value.volumes),
      more: {
        binds: (value.more?.binds ?? []).map(withAddress),
        unbinds: (value.more?.unbinds ?? []).map(withAddress),
        volumes: (value.more?.volumes ?? []).map(withAddress),
        rewards: (value.more?.rewards ?? []).map(withAddress),
      },
      tokens: { volume: value.tokens?.volume, reward: value.tokens?.reward },
      parentView: value.parentView,
      explorer: value.explorer,
    }
  })
  .superRefine((community, context) => {
    const { address, event, unbind } = community
    if (unbind && isSame(unbind, { address, event }))
      return addIssue(
        context,
        `is also the event of binds: each ${event.name} would bind and unbind at once; name another`,
        ['unbind', 'event'],
      )
    const { binds, unbinds, volumes, rewards } = listSources(community)
    for (const sources of [[...binds, ...unbinds], volumes, rewards]) {
      const again = sources.find((source, index) => sources.slice(0, index).some((other) => isSame(source, other)))
      // Two rows of one log would have the same key.
      if (again) addIssue(context, `${again.event.name} of ${again.address} is there twice: name it once`, ['more'])
    }
  })

type Source = { address: Community['address']; event: Community['event'] }

const isSame = (left: Source, right: Source) =>
  left.address === right.address && toEventSelector(left.event) === toEventSelector(right.event)
