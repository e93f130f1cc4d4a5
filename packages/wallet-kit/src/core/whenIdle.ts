/** Runs what nobody waits for yet once what is waited for is on screen, within half a second. Safari has no such callback. */
export function whenIdle(act: () => void): void {
  if (typeof requestIdleCallback === 'function') requestIdleCallback(act, { timeout: 500 })
  else setTimeout(act)
}
