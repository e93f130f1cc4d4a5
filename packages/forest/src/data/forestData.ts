import { AddressIndex, PrefixOrder } from '../addresses/addressIndex.ts'
import { DownlineChangedError } from '../errors.ts'
import type { Tuning } from '../tuning.ts'
import { Aggregates } from './aggregates.ts'
import { AmountBlocks } from './amountBlocks.ts'
import { AmountLog } from './amountLog.ts'
import { Holds } from './holds.ts'
import { IrregularBinds } from './irregularBinds.ts'
import { createEarlyJoins, createJoinBlocks } from './joinBlocks.ts'
import { Moves } from './moves.ts'
import { Nodes } from './nodes.ts'
import { Slots } from './slots.ts'
import { Timeline } from './timeline.ts'

/**
 * The data of a forest: `EventWriter` writes it and the queries read it. A node is a number: its row in `nodes` and
 * its number in `addresses`. A slot is a number too: the node's row in `slots`.
 */
export class ForestData {
  /** Rises with every change. */
  version = 0
  /** Address of each node, and the node of an address. */
  readonly addresses = new AddressIndex()
  /** Nodes by prefix of their address. */
  readonly prefixes = new PrefixOrder(this.addresses)
  /** By node: links in the tree, join, own amounts, depth. */
  readonly nodes = new Nodes()
  /** By slot, in breadth-first order: team, join index, leg volume. `Downline` finds the slots of a downline. */
  readonly slots = new Slots(this.nodes)
  /** Earlier states that are still read. */
  readonly holds: Holds
  /** Keeps `nodes` and `slots` up to date. */
  readonly aggregates: Aggregates
  /** Running totals by time. */
  readonly timeline = new Timeline()
  /** Volumes and rewards in log order. */
  readonly amounts = new AmountLog()
  /** The same by blocks of slots. */
  readonly amountBlocks: AmountBlocks
  /** Those of addresses that stand for “no referrer”: they count for the whole forest only. Their node is 0. */
  readonly unowned = new AmountLog()
  /** Binds that made no edge. */
  readonly irregularBinds = new IrregularBinds()
  /** Members of the snapshot who joined before their referrers. */
  readonly findEarlyJoins = createEarlyJoins(this.slots)
  /** Members of the snapshot by blocks of slots and time of joining. */
  readonly countJoins: ReturnType<typeof createJoinBlocks>
  /** Re-binds and unbinds. */
  readonly moves = new Moves()
  readonly tuning: Tuning

  constructor(rebind: boolean, tuning: Tuning) {
    this.holds = new Holds(this.nodes, this.slots, tuning.heldRows)
    this.aggregates = new Aggregates({ nodes: this.nodes, slots: this.slots, holds: this.holds }, rebind, tuning)
    this.tuning = tuning
    this.countJoins = createJoinBlocks(this)
    this.amountBlocks = new AmountBlocks(this)
  }

  /** Returns a function that throws `DownlineChangedError` once downlines may have changed since this call. */
  guard(): () => void {
    const { generation } = this.slots
    const { length } = this.moves
    return () => {
      if (this.slots.generation !== generation || this.moves.length !== length) throw new DownlineChangedError()
    }
  }
}
