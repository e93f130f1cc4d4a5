import { type LiveLine, liveLimit } from '@lineage/referral-api/live'
import type { Community } from '../../../config/index.ts'
import { describeError } from '../lib/describeError.ts'
import type { IndexView } from '../reader/indexState.ts'
import type { Tables } from '../tables/createTables.ts'
import type { EventRow } from '../tables/eventRow.ts'
import { createLiveChannel } from './createLiveChannel.ts'

export type LiveFeedParameters = {
  communities: readonly Pick<Community, 'id'>[]
  tables: Pick<Tables, 'readRecentBinds'>
  log?: (message: string) => void
  now?: () => number
}

export type LiveFeed = ReturnType<typeof createLiveFeed>

/** Creates the feed of changes in each community, from which the server makes its streams. */
export function createLiveFeed({ communities, tables, log = () => {}, now = Date.now }: LiveFeedParameters) {
  const channels = new Map(communities.map(({ id }) => [id, createLiveChannel(now)]))

  /** Reads the final binds that may be in the window, and one more for the state before them. */
  async function readFinal(community: string, finalizedBlock: number) {
    try {
      return await tables.readRecentBinds(community, finalizedBlock, liveLimit + 1)
    } catch (error) {
      log(`Recent binds cannot be read, so streams cannot be resumed: ${describeError(error)}`)
      return undefined
    }
  }

  return {
    /**
     * Starts again with the binds of the last ten minutes, after forests were loaded. `tail` are the rows that are
     * not final.
     */
    async begin(view: IndexView, tail: readonly EventRow[]): Promise<void> {
      for (const [id, channel] of channels) {
        const forest = view.forests.get(id)
        if (!forest) continue
        const { finalizedBlock } = view.asOf
        const final = await readFinal(id, finalizedBlock)
        channel.begin({
          view,
          forest,
          final,
          rows: tail.filter((row) => row.block > finalizedBlock && row.community === id),
        })
      }
    },
    /** Adds the rows of a change of the index. `fork` is the first block that a reorganisation rolled back. */
    advance(view: IndexView, { fork, rows }: { fork: number | undefined; rows: readonly EventRow[] }): void {
      for (const [id, channel] of channels) {
        const forest = view.forests.get(id)
        const own = rows.filter((row) => row.community === id)
        if (forest && (own.length > 0 || fork !== undefined)) channel.advance({ view, forest, fork, rows: own })
        else channel.settle(view, forest)
      }
    },
    /** Calls a listener with all kept lines, then with each change. Returns a function that stops it. */
    subscribe(community: string, listener: (line: LiveLine) => void): () => void {
      return channels.get(community)?.subscribe(listener) ?? (() => {})
    },
  }
}
