import type { AbiEvent, Address } from 'viem'
import type { Community } from './Community.ts'
import { listSources, type Sources } from './listSources.ts'

/** Returns the name under which Ponder knows an event of a community. */
export function sourceName({ id }: Pick<Community, 'id'>, kind: keyof Sources, index: number): string {
  return index === 0 ? `${id}_${kind}` : `${id}_${kind}_${index + 1}`
}

/** Returns Ponder's `contracts`: one for each event of each community. */
export function toContracts(communities: readonly Community[]) {
  const contracts: Record<string, { chain: 'bsc'; abi: [AbiEvent]; address: Address; startBlock: number }> = {}
  for (const community of communities) {
    const { startBlock } = community
    for (const [kind, sources] of Object.entries(listSources(community)) as [keyof Sources, Sources['unbinds']][])
      for (const [index, { address, event }] of sources.entries())
        contracts[sourceName(community, kind, index)] = { chain: 'bsc', abi: [event], address, startBlock }
  }
  return contracts
}
