import { setTimeout as delay } from 'node:timers/promises'

/** Waits until a condition holds, at most this many milliseconds. Returns whether it does. */
export async function waitUntil(condition: () => boolean | Promise<boolean>, limit: number): Promise<boolean> {
  const end = performance.now() + limit
  while (!(await condition())) {
    if (performance.now() > end) return false
    await delay(100)
  }
  return true
}
