import type { LiveTeamCounts } from '@lineage/referral-api/live'
import { batch } from '@lineage/referral-api/schemas'

/** Number of addresses that the indexer accepts at once. */
const portion = 500

type Listener = (counts: LiveTeamCounts) => void
export type TeamCounts = ReturnType<typeof createTeamCounts>

/** Creates a reader of team counts. It asks for one portion after the other and reports counts that have changed. */
export function createTeamCounts(ask: (addresses: readonly string[]) => Promise<unknown>) {
  const last = new Map<string, string>()
  const waiting = new Set<string>()
  let state: 'idle' | 'asking' = 'idle'

  async function askPortion(addresses: readonly string[], listener: Listener): Promise<void> {
    const { asOf, items } = batch.parse(await ask(addresses))
    for (const { card } of items) {
      if (!card) continue
      const { directs, team, ownVolume, teamVolume } = card
      const address = card.address as LiveTeamCounts['address']
      const counts = { address, directs, team, ownVolume, teamVolume }
      const key = address.toLowerCase()
      const text = JSON.stringify(counts)
      if (last.get(key) === text) continue
      last.set(key, text)
      listener({ asOf, members: team, ...counts })
    }
  }

  async function run(listener: Listener): Promise<void> {
    state = 'asking'
    while (waiting.size > 0) {
      const addresses = [...waiting].slice(0, portion)
      for (const address of addresses) waiting.delete(address)
      // The next change asks again.
      await askPortion(addresses, listener).catch(() => undefined)
    }
    state = 'idle'
  }

  return {
    update(addresses: readonly string[], listener: Listener): void {
      for (const address of addresses) waiting.add(address)
      if (state === 'idle') void run(listener)
    },
    /** Reports the counts of a team at the next update, changed or not. */
    forget(address: string): void {
      last.delete(address)
    },
  }
}
