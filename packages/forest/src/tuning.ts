/** Thresholds between two ways to compute an answer. They change the cost of an answer, never its content. */
export interface Tuning {
  /** Teams up to this size are walked node by node instead of by ranges of slots. */
  smallTeam: number
  /** Most steps through the join order before a search switches to scanning the whole downline. */
  tries: number
  /** Rows prefetched after the page of a scan; doubled with each further scan of the same list. */
  ahead: number
  /** Most steps of a filter; a member read in order is one step. */
  filterSteps: number
  /** Members read in one slice of an answer that is computed in slices. */
  sliceSteps: number
  /** Most directs of the past whose legs are measured: they are sorted in one slice. */
  mostLegs: number
  /** Joins by day are cached for teams of at least this size. */
  keptTeam: number
  /** Steps of live changes between two queries that are always allowed, however small the forest. */
  freeSteps: number
  /** Most members moved or removed since the snapshot before another one is taken in place. */
  mostCuts: number
}

export const defaultTuning: Tuning = {
  smallTeam: 2048,
  tries: 16_384,
  ahead: 200,
  filterSteps: 2_000_000,
  sliceSteps: 16_384,
  mostLegs: 20_000,
  keptTeam: 500_000,
  freeSteps: 50_000,
  mostCuts: 10_000,
}
