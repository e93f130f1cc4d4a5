import type { NodeStatus } from '../data/nodes.ts'
import type { EventPosition } from '../types.ts'

/** `activeBefore`: the time of the member's last activity before this change. */
export type AmountChange = { type: 'volume' | 'reward'; node: number; amount: bigint; activeBefore: number }

/** One step of an event, with the data to undo it. */
export type Change =
  | { type: 'created' }
  | { type: 'status'; node: number; before: NodeStatus }
  | { type: 'moved'; node: number; before: number }
  | { type: 'irregular' }
  | { type: 'rebound' }
  | AmountChange

interface Entry {
  block: number
  /** Position of the event before this one. */
  previous: EventPosition | undefined
  changes: Change[]
}

/** Stores the changes of each event that can still be undone. */
export class Journal {
  finalBlock = -1
  private entries: Entry[] = []
  /** Changes of the current event; `undefined` if it is final, to avoid an allocation. */
  current: Change[] | undefined

  begin(block: number, previous: EventPosition | undefined): void {
    this.current = block > this.finalBlock ? [] : undefined
    if (this.current) this.entries.push({ block, previous, changes: this.current })
  }

  /** Removes and returns the newest entry if it is above `block`. */
  takeAbove(block: number): Entry | undefined {
    const last = this.entries.at(-1)
    return last && last.block > block ? this.entries.pop() : undefined
  }

  commit(block: number): void {
    if (block <= this.finalBlock) return
    this.finalBlock = block
    this.entries = this.entries.filter((entry) => entry.block > block)
  }
}
