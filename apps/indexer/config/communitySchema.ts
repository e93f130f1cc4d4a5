import { toEventSelector } from 'viem'
import * as z from 'zod'
import type { Community } from './Community.ts'
import { rewards, unbind, volumes } from './feeds.ts'
import { address, argument, event, id, name, token, view } from './fields.ts'
import { addIssue, orNotAnObject } from './issues.ts'
import { bindPresets, presetNames } from './presets.ts'
import { resolveBindEvent } from './resolveBindEvent.ts'

const fields = {
  id,
  name,
  chainId: z.literal(56, 'must be 56, BNB Smart Chain'),
  address,
  startBlock: z
    .int('must be the number of the block the contract was deployed in: without it every block would be read')
    .min(0, 'must not be negative'),
  preset: presetNames(bindPresets).optional(),
  order: z.enum(['memberFirst', 'referrerFirst'], 'must be "memberFirst" or "referrerFirst"').optional(),
  event: event.optional(),
  member: argument.optional(),
  referrer: argument.optional(),
  roots: z.array(address, 'must be a list of addresses').optional(),
  rebind: z.enum(['first', 'last'], 'must be "first" or "last"').optional(),
  unbind: unbind.optional(),
  rewards: rewards.optional(),
  volumes: volumes.optional(),
  tokens: z.strictObject({ volume: token.optional(), reward: token.optional() }, orNotAnObject).optional(),
  parentView: view.optional(),
  explorer: z
    .url({ protocol: /^https?$/, error: 'must be an http or https URL' })
    .transform((url) => url.replace(/\/+$/, ''))
    .optional(),
}

/** Checks a community as it is written, and fills in presets and defaults. */
export const communitySchema = z
  .strictObject(fields, orNotAnObject)
  .transform(({ preset, order, event, member, referrer, ...value }, context): Community => {
    const bindEvent = resolveBindEvent(context, { preset, order, event, member, referrer })
    if (value.unbind && value.rebind !== 'last')
      addIssue(context, 'needs rebind: "last": with "first", a member keeps the first referrer', ['unbind'])
    const withAddress = <feed extends object>(feed: feed & { address?: Community['address'] | undefined }) => ({
      ...feed,
      address: feed.address ?? value.address,
    })
    return {
      ...value,
      ...bindEvent,
      roots: value.roots ?? [],
      rebind: value.rebind ?? 'first',
      unbind: value.unbind && withAddress(value.unbind),
      rewards: value.rewards && withAddress(value.rewards),
      volumes: value.volumes && withAddress(value.volumes),
      tokens: { volume: value.tokens?.volume, reward: value.tokens?.reward },
      parentView: value.parentView,
      explorer: value.explorer,
    }
  })
  .superRefine(({ address, event, unbind }, context) => {
    if (unbind?.address === address && toEventSelector(unbind.event) === toEventSelector(event))
      addIssue(context, `is also the event of binds: each ${event.name} would bind and unbind at once; name another`, [
        'unbind',
        'event',
      ])
  })
