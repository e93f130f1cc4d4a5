import { useSyncExternalStore } from 'react'
import { subscribeToNothing } from './hooks/withoutKit.ts'

/** Returns `false` on a server and during hydration, `true` in every later render. */
export const useIsHydrated = (): boolean =>
  useSyncExternalStore(
    subscribeToNothing,
    () => true,
    () => false,
  )
