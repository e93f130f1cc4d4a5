/** Thresholds that choose between two ways to compute an answer. They change its cost, not its content. */
export interface Tuning {
  /** Largest team that is walked node by node instead of by ranges of slots. */
  smallTeam: number
  /** Largest number of steps through the join order before a search scans the whole downline instead. */
  tries: number
  /** Number of rows prefetched after the page of a scan; doubled with each further scan of the same list. */
  ahead: number
  /** Largest number of steps of a filter; a member read in order is one step. */
  filterSteps: number
  /** Number of members read in one slice of an answer. */
  sliceSteps: number
  /** Largest number of past directs whose legs are measured, because they are sorted in one slice. */
  mostLegs: number
  /** Most levels of a forest whose teams are read by ranges of slots for the amounts of a period. */
  mostLevels: number
  /** Largest number of members with amounts or joins in a period whose legs are summed up, because each takes memory. */
  periodRows: number
  /** Most members of past teams that are kept for further pages, because each takes memory. */
  pastRows: number
  /** Smallest team whose joins by day are cached. */
  keptTeam: number
  /** Number of steps of live changes between two queries that are always allowed, even in a small forest. */
  freeSteps: number
  /** Largest number of members moved or removed since the snapshot before another one is taken in place. */
  mostCuts: number
  /** Largest number of members whose earlier figures are kept for readers of a held state. */
  heldRows: number
  /** Slots of a block whose joins are counted by time: 2 to 65,535. */
  blockSlots: number
  /** Most new volumes and rewards that are read one by one, before they are kept by blocks of slots. */
  looseEvents: number
  /** Fewest joins that are counted together in a block. */
  groupJoins: number
}

export const defaultTuning: Tuning = {
  smallTeam: 2048,
  tries: 16_384,
  ahead: 200,
  filterSteps: 2_000_000,
  sliceSteps: 16_384,
  mostLegs: 20_000,
  mostLevels: 256,
  periodRows: 500_000,
  pastRows: 2_000_000,
  keptTeam: 500_000,
  freeSteps: 50_000,
  mostCuts: 10_000,
  heldRows: 100_000,
  blockSlots: 1024,
  looseEvents: 1024,
  groupJoins: 1,
}
