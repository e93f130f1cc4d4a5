import { createTabs } from '../lib/tabs.ts'
import { resumeSession } from '../signIn/session.ts'
import type { WalletKitConfig } from '../state/config.ts'
import { type KitContext, update } from '../state/context.ts'
import { endConnection } from '../state/transitions.ts'
import { cancelAttempt } from './connect.ts'

/** Connects to the other tabs of the site, unless the app sets its own storage, which the tabs may not share. */
export function joinTabs({ id, storage }: WalletKitConfig, signal: AbortSignal, getContext: () => KitContext) {
  if (typeof window === 'undefined' || storage) return undefined
  const tabs = createTabs(
    {
      disconnected: () => {
        const context = getContext()
        const { attempt, provider } = context.store.getState()
        if (attempt?.kind === 'reconnect') cancelAttempt(context, attempt.id)
        // The tab that disconnected also ends the session at the server.
        context.signIn.current?.forget()
        if (provider) update(context, endConnection)
      },
      signedIn: () => getContext().store.getState().provider && resumeSession(getContext()),
      signedOut: () => getContext().signIn.current?.forget(),
      transactions: () => getContext().transactions.refresh(),
    },
    id,
  )
  signal.addEventListener('abort', tabs.destroy)
  return tabs
}
