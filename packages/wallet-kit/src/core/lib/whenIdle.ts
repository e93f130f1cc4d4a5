/** Runs `task` when the page is idle, within half a second. Safari has no `requestIdleCallback`. */
export function whenIdle(task: () => void): void {
  if (typeof requestIdleCallback === 'function') requestIdleCallback(task, { timeout: 500 })
  else setTimeout(task)
}
