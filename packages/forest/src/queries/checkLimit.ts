export function checkLimit(limit: number): void {
  if (!Number.isSafeInteger(limit) || limit < 1)
    throw new RangeError(`Not a limit: ${String(limit)}. Expected an integer of 1 or more.`)
}
