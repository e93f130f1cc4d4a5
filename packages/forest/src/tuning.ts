/** Which way to an answer is taken, never what the answer is. */
export interface Tuning {
  /** Up to so many, it is cheaper to go from one to the next than to look who is newer than the snapshot. */
  smallTeam: number
  /** Steps through the order of joins that are worth a try before everybody in the downline is looked at. */
  tries: number
  /** Rows of the next pages that are kept at hand, once everybody in the downline has been looked at for one; then twice as many. */
  ahead: number
  /** Joins by day are kept for teams from this size on. */
  keptTeam: number
  /** Steps up the uplines between two queries that are less than a fresh start costs, however small the forest. */
  freeSteps: number
  /** More members moved or gone than this, and the runs of the snapshot are too torn to be worth keeping. */
  mostCuts: number
}

export const defaultTuning: Tuning = {
  smallTeam: 2048,
  tries: 16_384,
  ahead: 200,
  keptTeam: 500_000,
  freeSteps: 50_000,
  mostCuts: 10_000,
}
