/** Thresholds that choose between two ways to compute an answer. They change its cost, not its content. */
export type Tuning = typeof defaultTuning

export const defaultTuning = {
  /** Largest team that is walked node by node instead of by ranges of slots. */
  smallTeam: 2048,
  /** Largest number of steps through the join order before a search scans the whole downline instead. */
  tries: 16_384,
  /** Number of rows prefetched after the page of a scan; doubled with each further scan of the same list. */
  ahead: 200,
  /** Largest number of steps of a filter; a member read in order is one step. */
  filterSteps: 2_000_000,
  /** Number of members read in one slice of an answer. */
  sliceSteps: 16_384,
  /** Largest number of past directs whose legs are measured, because they are sorted in one slice. */
  mostLegs: 20_000,
  /** Most levels of a forest whose teams are read by ranges of slots for the amounts of a period. */
  mostLevels: 256,
  /** Largest number of members with amounts or joins in a period whose legs are summed up, because each takes memory. */
  periodRows: 500_000,
  /** Most members of past teams that are kept for further pages, because each takes memory. */
  pastRows: 2_000_000,
  /** Smallest team whose joins by day are cached. */
  keptTeam: 500_000,
  /** Number of steps of live changes between two queries that are always allowed, even in a small forest. */
  freeSteps: 50_000,
  /** Largest number of members moved or removed since the snapshot before another one is taken in place. */
  mostCuts: 10_000,
  /** Largest number of members whose earlier figures are kept for readers of a held state. */
  heldRows: 100_000,
  /** Slots of a block whose joins are counted by time: 2 to 65,535. */
  blockSlots: 1024,
  /** Most new volumes and rewards that are read one by one, before they are kept by blocks of slots. */
  looseEvents: 1024,
  /** Fewest joins that are counted together in a block. */
  groupJoins: 1,
}
