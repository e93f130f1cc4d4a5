import { checksumAddress } from '@lineage/communities'
import type { Forest } from '@lineage/forest'
import type { IndexChange } from '../lookups/Index.ts'
import { toCard } from '../lookups/serialize.ts'
import type { ViewChange } from './createFollower.ts'

type Team = { community: string; address: string }
export type Teams = ReturnType<typeof createTeams>

/** Largest number of addresses in a change. */
const mostChanged = 100

/** Creates the set of watched teams, each with the card that its watchers know. */
export function createTeams() {
  const cards = new Map<string, Map<string, string>>()
  return {
    watch({ community, address }: Team, forest: Forest | undefined): void {
      const own = cards.get(community) ?? new Map<string, string>()
      cards.set(community, own.set(address, forest ? cardOf(forest, address) : ''))
    },
    forget: ({ community, address }: Team) => void cards.get(community)?.delete(address),
    /** Returns the addresses of a community whose card has changed since the last call. */
    takeChanged(community: string, forest: Forest): string[] {
      const own = cards.get(community)
      return [...(own ?? [])].flatMap(([address, known]) => {
        const card = cardOf(forest, address)
        own?.set(address, card)
        return card === known ? [] : [address]
      })
    },
  }
}

function cardOf(forest: Forest, address: string): string {
  const id = forest.find(address)
  return id === undefined ? '' : JSON.stringify(toCard(forest.member(id)))
}

/** Returns the change of a community for the server's streams and alerts. */
export function toChange({ community, view, kind, rows, gone, fork }: ViewChange, teams: Teams): IndexChange {
  const binds = [...gone, ...rows].filter(({ kind }) => kind === 'bind').reverse()
  const members = [...new Set(binds.map(({ member }) => member))]
  const events = kind === 'loaded' || rows.length > 0 || fork !== null ? 'some' : 'none'
  return {
    community,
    asOf: view.asOf,
    members: view.forest.counts.members,
    events,
    changed: members.slice(0, mostChanged).map(checksumAddress),
    count: members.length,
    fork,
    teams: events === 'some' ? teams.takeChanged(community, view.forest) : [],
  }
}
