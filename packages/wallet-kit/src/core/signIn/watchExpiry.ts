import type { Session } from '../state/authentication.ts'
import type { KitContext } from '../state/context.ts'

/** The longest delay that a timer accepts, in milliseconds. */
const maxDelay = 2 ** 31 - 1

/** Calls `onExpired` when the session in the state expires. */
export function watchExpiry({ store, signal }: Pick<KitContext, 'store' | 'signal'>, onExpired: () => void): void {
  let timer: ReturnType<typeof setTimeout> | undefined
  const schedule = (session: Session | undefined) => {
    clearTimeout(timer)
    if (!session) return
    const left = session.expiresAt - Date.now()
    timer = setTimeout(() => (left > maxDelay ? schedule(session) : onExpired()), Math.min(left, maxDelay))
  }
  schedule(store.getState().session)
  const stop = store.subscribe(({ session }, before) => {
    if (session !== before.session) schedule(session)
  })
  signal.addEventListener('abort', () => {
    stop()
    clearTimeout(timer)
  })
}
