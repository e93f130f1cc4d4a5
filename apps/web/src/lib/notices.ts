import { createContext, use, useCallback } from 'react'

export type Notice = {
  text: string
  tone: 'success' | 'info' | 'error'
  /** Where there is more of it. */
  link?: { text: string; url: string }
}

/** What the page has to tell, until somebody shows it. */
export function createNotices() {
  let waiting: Notice[] = []
  const listeners = new Set<() => void>()
  return {
    tell(notice: Notice) {
      waiting = [...waiting, notice]
      for (const listener of listeners) listener()
    },
    /** The notices told since the last time. */
    take(): Notice[] {
      const taken = waiting
      waiting = []
      return taken
    },
    subscribe(listener: () => void) {
      listeners.add(listener)
      return () => {
        listeners.delete(listener)
      }
    },
  }
}

export type Notices = ReturnType<typeof createNotices>

export const NoticesContext = createContext<Notices | undefined>(undefined)

/** Tells the person something in passing. */
export function useTell(): (text: string, tone: Notice['tone'], link?: Notice['link']) => void {
  const notices = use(NoticesContext)
  return useCallback((text, tone, link) => notices?.tell({ text, tone, ...(link && { link }) }), [notices])
}
