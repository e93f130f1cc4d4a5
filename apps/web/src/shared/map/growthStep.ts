/** Upper limits of the steps of growth. One more step is above the last. */
export const growthSteps = [0, 0.05, 0.15, 0.3] as const

/**
 * Returns the growth since thirty days ago; `Infinity` for a leg that is younger.
 *
 * @example
 * growthOf({ members: 110, recent: 10 }) // 0.1
 */
export const growthOf = ({ members, recent }: { members: number; recent: number }): number =>
  recent === 0 ? 0 : recent / Math.max(0, members - recent)

/** Returns the step of a growth: 0 for none, up to 4 for more than 30 %. */
export const growthStep = (growth: number): number => {
  const step = growthSteps.findIndex((end) => growth <= end)
  return step < 0 ? growthSteps.length : step
}
