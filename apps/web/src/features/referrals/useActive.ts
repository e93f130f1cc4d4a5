import { createContext, use } from 'react'

/** Which node of the tree the Tab key leads to. */
export const ActiveContext = createContext('')

/** For a node: 0 when it is the one. */
export const useTabIndex = (id: string): 0 | -1 => (use(ActiveContext) === id ? 0 : -1)
