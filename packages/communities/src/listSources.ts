import type { AmountSource, BindSource, Community, RewardSource, UnbindSource } from './Community.ts'

/** All events of a community, by kind. */
export type Sources = { binds: BindSource[]; unbinds: UnbindSource[]; volumes: AmountSource[]; rewards: RewardSource[] }

/** Lists the events of a community by kind, the main one first. */
export function listSources({ more, unbind, volumes, rewards, ...community }: Community): Sources {
  const { address, event, member, referrer } = community
  return {
    binds: [{ address, event, member, referrer }, ...more.binds],
    unbinds: [...(unbind ? [unbind] : []), ...more.unbinds],
    volumes: [...(volumes ? [volumes] : []), ...more.volumes],
    rewards: [...(rewards ? [rewards] : []), ...more.rewards],
  }
}
