import type { Address } from '@lineage/referral-api'
import type { AlertStore } from './alertStore.ts'
import { createRound } from './createRound.ts'

/** Milliseconds between two looks for alerts that other servers have stored. */
const interval = 1_000

/** Creates the service that calls listeners of signed-in accounts when they have new alerts. */
export function createAlertNews(store: Pick<AlertStore, 'listNews'>) {
  const listeners = new Map<Address, Set<() => void>>()
  /** Number of the newest alert at the last look; `undefined` before the first one. */
  let last: number | undefined
  let timer: NodeJS.Timeout | undefined

  const round = createRound(async () => {
    if (listeners.size === 0) return
    // `/v1/status` says that the database does not answer.
    const news = await store.listNews(last).catch(() => undefined)
    if (!news) return
    const accounts = last === undefined ? [...listeners.keys()] : news.accounts
    last = news.number
    for (const account of accounts) for (const listener of listeners.get(account) ?? []) listener()
  })

  return {
    /** Looks for new alerts at once. */
    request: round.request,
    /** Calls a listener at once, and after each new alert of an account. Returns a function that stops it. */
    subscribe(account: Address, listener: () => void): () => void {
      const group = listeners.get(account) ?? new Set()
      listeners.set(account, group.add(listener))
      timer ??= setInterval(round.request, interval).unref()
      listener()
      return () => {
        group.delete(listener)
        if (group.size === 0) listeners.delete(account)
        if (listeners.size > 0) return
        clearInterval(timer)
        timer = undefined
        last = undefined
      }
    },
    async close(): Promise<void> {
      clearInterval(timer)
      await round.stop()
    },
  }
}
