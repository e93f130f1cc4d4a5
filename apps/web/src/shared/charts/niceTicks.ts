/**
 * Returns about four round values from 0 to at least `greatest`.
 *
 * @example
 * niceTicks(37) // [0, 10, 20, 30, 40]
 */
export function niceTicks(greatest: number): number[] {
  if (!(greatest > 0) || !Number.isFinite(greatest)) return [0, 1]
  const rough = greatest / 4
  const power = 10 ** Math.floor(Math.log10(rough))
  const step = power * ([1, 2, 2.5, 5, 10].find((factor) => factor * power >= rough) ?? 10)
  const steps = Math.ceil(greatest / step - 1e-9)
  return Array.from({ length: steps + 1 }, (_, index) => index * step)
}
