import { createContext, use, useCallback } from 'react'
import { createStore, type StoreApi } from 'zustand/vanilla'

export type Notice = {
  text: string
  tone: 'success' | 'info' | 'error'
  /** Link to more information. */
  link?: { text: string; url: string }
}

/** Holds the notices until the toasts take them. */
export type Notices = StoreApi<readonly Notice[]>

const none: readonly Notice[] = []

export const createNotices = (): Notices => createStore<readonly Notice[]>(() => none)

/** Returns and clears the queued notices. */
export function takeNotices(notices: Notices): readonly Notice[] {
  const taken = notices.getState()
  notices.setState(none, true)
  return taken
}

export const NoticesContext = createContext<Notices | undefined>(undefined)

/** Returns a function that shows a notice. */
export function useNotify(): (text: string, tone: Notice['tone'], link?: Notice['link']) => void {
  const notices = use(NoticesContext)
  return useCallback(
    (text, tone, link) => notices?.setState((queued) => [...queued, { text, tone, ...(link && { link }) }], true),
    [notices],
  )
}
