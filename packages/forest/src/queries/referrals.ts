import type { State } from '../state.ts'
import type { Page, Referral, ReferralsParameters, ReferralsSort } from '../types.ts'
import { checkLimit } from './checkLimit.ts'
import { decodeCursor, encodeCursor } from './cursor.ts'
import { summaryOf } from './member.ts'
import { type Key, keyOf, select } from './select.ts'

/** So many readers at once find their next pages at hand … */
const mostRuns = 16
/** … and so many rows of them at most. */
const mostAhead = 6_400

/** Rows that follow each other in a list, found once and handed out page by page. */
interface Run {
  version: number
  top: number
  query: string
  sort: ReferralsSort
  /** Not slots, of which a snapshot gives them others. */
  nodes: number[]
  /** How-manieth members they were: by it a cursor is found. */
  orders: number[]
}

export class ReferralPages {
  private readonly state: State
  private runs: Run[] = []

  constructor(state: State) {
    this.state = state
  }

  /** @param version Another one, and what is known of the next pages is out of date. */
  of(top: number, parameters: ReferralsParameters, version: number): Page<Referral> {
    const { nodes, slots, tuning } = this.state
    const { level, sort, order, limit, cursor } = parameters
    checkLimit(limit)
    if (level !== 'all' && (!Number.isInteger(level) || level < 1))
      throw new RangeError(`Not a level: ${String(level)}. Expected 1 or more, or "all".`)
    const query = `${sort}.${order}.${level}`
    const after = cursor === undefined || cursor === null ? undefined : readKey(cursor, query, sort)
    // One more than asked for tells whether there is a next page.
    const count = limit + 1
    this.runs = this.runs.filter((run) => run.version === version)
    const run = after && this.runs.find((run) => run.top === top && run.query === query && this.holds(run, after))
    let found = run && this.after(run, after, count)
    if (!found) {
      // Most people see the first page alone; whoever goes on is likely to go on further.
      const ahead = !after ? 0 : run ? Math.min(run.nodes.length * 2, mostAhead) : tuning.ahead
      found = select(this.state, top, { level, sort, order, count, ahead, after })
      if (found.length > count) this.keep({ version, top, query, sort }, found, run)
    }
    const page = found.slice(0, limit)
    const last = page.at(-1)
    const depth = nodes.depth[top] as number
    return {
      items: page.map((slot) => {
        const node = slots.nodeAt[slot] as number
        return { ...summaryOf(this.state, node), level: (nodes.depth[node] as number) - depth }
      }),
      nextCursor: found.length > limit && last !== undefined ? encodeCursor(query, toParts(slots, last, sort)) : null,
    }
  }

  private holds({ nodes, orders, sort }: Run, { value, joined }: Key): boolean {
    const node = nodes[orders.indexOf(joined)]
    // A cursor made by hand may have the value of one row and the join of another.
    return node !== undefined && keyOf(this.state.slots, this.state.slots.slotOf[node] as number, sort).value === value
  }

  /** The slots after a row that the run holds, if it holds a whole page of them. */
  private after({ nodes, orders }: Run, { joined }: Key, count: number): number[] | undefined {
    const from = orders.indexOf(joined) + 1
    if (from + count > nodes.length) return undefined
    return nodes.slice(from, from + count).map((node) => this.state.slots.slotOf[node] as number)
  }

  private keep(of: Pick<Run, 'version' | 'top' | 'query' | 'sort'>, found: readonly number[], before?: Run): void {
    const { nodeAt, joinOrder } = this.state.slots
    const nodes = found.map((slot) => nodeAt[slot] as number)
    const orders = found.map((slot) => joinOrder[slot] as number)
    this.runs = [{ ...of, nodes, orders }, ...this.runs.filter((run) => run !== before)].slice(0, mostRuns)
  }
}

/** A cursor holds the sort key of its page's last row; join order is unique and comes last. */
function toParts(slots: State['slots'], slot: number, sort: ReferralsParameters['sort']): bigint[] {
  const { value, joined } = keyOf(slots, slot, sort)
  return sort === 'joined' ? [BigInt(joined)] : [value, BigInt(joined)]
}

function readKey(cursor: string, query: string, sort: ReferralsParameters['sort']) {
  const parts = decodeCursor(cursor, query, sort === 'joined' ? 1 : 2)
  return { value: parts[0] as bigint, joined: Number(parts.at(-1)) }
}
