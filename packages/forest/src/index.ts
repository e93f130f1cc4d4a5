export { readAddressAt } from './addressIndex.ts'
export { createSnapshots, type Snapshots, type SnapshotsParameters } from './createSnapshots.ts'
export {
  InvalidAddressError,
  InvalidCursorError,
  InvalidEventError,
  InvalidPrefixError,
  RollbackError,
  UnknownMemberError,
} from './errors.ts'
export { createForest } from './forest.ts'
export type { Tuning } from './tuning.ts'
export type {
  Address,
  AmountEvent,
  BindEvent,
  BindStatus,
  EventPosition,
  Forest,
  ForestCounts,
  ForestEvent,
  ForestMemory,
  ForestParameters,
  Growth,
  GrowthInterval,
  GrowthParameters,
  Leader,
  Level,
  Member,
  MemberId,
  MemberStatus,
  MemberSummary,
  Metrics,
  Page,
  Period,
  Referral,
  ReferralsParameters,
  ReferralsSort,
  ReferrersParameters,
  SnapshotJob,
  SnapshotResult,
  SnapshotTask,
} from './types.ts'
