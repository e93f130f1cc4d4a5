import type { AddressIndex } from './addressIndex.ts'
import type { Aggregates } from './aggregates.ts'
import type { Nodes } from './nodes.ts'
import type { Timeline } from './timeline.ts'
import type { BindStatus } from './types.ts'

/** What the queries read. A node's row in `nodes` and its number in `addresses` are the same. */
export interface State {
  readonly addresses: AddressIndex
  readonly nodes: Nodes
  readonly aggregates: Aggregates
  readonly timeline: Timeline
  members: number
  placeholders: number
  edges: number
  readonly refused: Record<Exclude<BindStatus, 'bound'>, number>
}
