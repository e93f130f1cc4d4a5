import { createContext, use } from 'react'

/** The id of the one tree item in the tab order. */
export const TabStopContext = createContext('')

/** Returns a tree item's `tabIndex`. */
export const useTreeTabIndex = (id: string): 0 | -1 => (use(TabStopContext) === id ? 0 : -1)
