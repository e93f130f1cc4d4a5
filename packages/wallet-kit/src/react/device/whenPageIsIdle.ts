import { whenIdle } from '../../core/lib/promises.ts'

/**
 * Calls `task` when the page has loaded and is idle; never on a slow network, or if the person has turned on data
 * saving. Returns a function that cancels it.
 *
 * @see https://wicg.github.io/netinfo/
 */
export function whenPageIsIdle(task: () => void): () => void {
  let cancel = () => window.removeEventListener('load', wait)
  const wait = () => {
    cancel = whenIdle(task, {}, 1_000)
  }
  if (savesData()) return () => {}
  if (document.readyState === 'complete') wait()
  else window.addEventListener('load', wait, { once: true })
  return () => cancel()
}

function savesData(): boolean {
  const { connection } = navigator as { connection?: { saveData?: boolean; effectiveType?: string } }
  return connection?.saveData === true || /2g$/.test(connection?.effectiveType ?? '')
}
