import { useSyncExternalStore } from 'react'

const query = '(min-width: 1080px)'

const subscribe = (onChange: () => void) => {
  const list = window.matchMedia(query)
  list.addEventListener('change', onChange)
  return () => list.removeEventListener('change', onChange)
}

/** Returns whether the page has room for the tree and the map side by side. */
export const useIsWide = (): boolean => useSyncExternalStore(subscribe, () => window.matchMedia(query).matches)
