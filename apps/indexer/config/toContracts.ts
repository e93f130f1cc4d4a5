import type { AbiEvent, Address } from 'viem'
import type { Community } from './Community.ts'

type Kind = 'binds' | 'unbinds' | 'volumes' | 'rewards'

/** Returns Ponder's name of a community's events of one kind. */
export function sourceName(community: Community, kind: Kind): string {
  return `${community.id}_${kind}`
}

/** Returns Ponder's `contracts`: one for each event of each community. */
export function toContracts(communities: readonly Community[]) {
  const contracts: Record<string, { chain: 'bsc'; abi: [AbiEvent]; address: Address; startBlock: number }> = {}
  for (const community of communities) {
    const { startBlock } = community
    const add = (kind: Kind, { address, event }: { address: Address; event: AbiEvent }) => {
      contracts[sourceName(community, kind)] = { chain: 'bsc', abi: [event], address, startBlock }
    }
    add('binds', community)
    if (community.unbind) add('unbinds', community.unbind)
    if (community.volumes) add('volumes', community.volumes)
    if (community.rewards) add('rewards', community.rewards)
  }
  return contracts
}
