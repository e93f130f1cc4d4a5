import type { NodeStatus } from './nodes.ts'
import type { BindStatus, EventPosition } from './types.ts'

/** One step an event made, with what undoing it needs. */
export type Change =
  | { type: 'created' }
  | { type: 'status'; node: number; before: NodeStatus }
  | { type: 'moved'; node: number; before: number }
  | { type: 'refused'; status: Exclude<BindStatus, 'bound'> }
  | { type: 'volume' | 'reward'; node: number; amount: bigint }

interface Entry {
  block: number
  /** Where the forest stood before this event. */
  before: EventPosition | undefined
  changes: Change[]
}

/** Remembers the changes of every event that may still be undone. */
export class Journal {
  finalBlock = -1
  private entries: Entry[] = []
  /** Of the event at hand, unless it is final: nothing need be made for it then. */
  open: Change[] | undefined

  begin(block: number, before: EventPosition | undefined): void {
    this.open = block > this.finalBlock ? [] : undefined
    if (this.open) this.entries.push({ block, before, changes: this.open })
  }

  /** Takes the newest event above `block` out of the journal. */
  takeAbove(block: number): Entry | undefined {
    const last = this.entries.at(-1)
    return last && last.block > block ? this.entries.pop() : undefined
  }

  commit(block: number): void {
    if (block <= this.finalBlock) return
    this.finalBlock = block
    const kept = this.entries.findIndex((entry) => entry.block > block)
    this.entries = kept === -1 ? [] : this.entries.slice(kept)
  }
}
