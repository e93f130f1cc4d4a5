import type { AddressIndex } from './addressIndex.ts'
import type { AddressOrder } from './addressOrder.ts'
import type { Aggregates } from './aggregates.ts'
import type { Nodes } from './nodes.ts'
import type { Slots } from './slots.ts'
import type { Timeline } from './timeline.ts'
import type { Tuning } from './tuning.ts'
import type { BindStatus } from './types.ts'

/** What the queries read. A node's row in `nodes` and its number in `addresses` are the same. */
export interface State {
  readonly addresses: AddressIndex
  readonly order: AddressOrder
  readonly nodes: Nodes
  readonly slots: Slots
  readonly aggregates: Aggregates
  readonly timeline: Timeline
  readonly tuning: Tuning
  placeholders: number
  edges: number
  readonly refused: Record<Exclude<BindStatus, 'bound'>, number>
}
