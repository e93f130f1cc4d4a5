import { createContext, use, useCallback } from 'react'

export type Notice = {
  text: string
  tone: 'success' | 'info' | 'error'
  /** Link to more information. */
  link?: { text: string; url: string }
}

/** Queues notices until the toasts take them. */
export function createNotices() {
  let waiting: Notice[] = []
  const listeners = new Set<() => void>()
  return {
    notify(notice: Notice) {
      waiting = [...waiting, notice]
      for (const listener of listeners) listener()
    },
    /** Returns and clears the queued notices. */
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

/** Returns a function that shows a notice. */
export function useNotify(): (text: string, tone: Notice['tone'], link?: Notice['link']) => void {
  const notices = use(NoticesContext)
  return useCallback((text, tone, link) => notices?.notify({ text, tone, ...(link && { link }) }), [notices])
}
