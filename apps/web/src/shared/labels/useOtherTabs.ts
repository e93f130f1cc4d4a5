import type { Address } from '@lineage/referral-api'
import { useCallback, useEffect, useRef } from 'react'

/**
 * Calls `onChange` when another tab has changed this account's labels. Returns a function that notifies the other
 * tabs.
 */
export function useOtherTabs(account: Address | undefined, onChange: () => Promise<void>): () => void {
  const channel = useRef<BroadcastChannel>(undefined)
  useEffect(() => {
    if (!account) return
    const opened = openChannel()
    if (opened) opened.onmessage = ({ data }) => data === account && void onChange()
    channel.current = opened
    return () => opened?.close()
  }, [account, onChange])
  return useCallback(() => account && channel.current?.postMessage(account), [account])
}

function openChannel(): BroadcastChannel | undefined {
  try {
    return new BroadcastChannel('lineage-labels')
  } catch {
    // Browsers that forbid storage may forbid this as well.
    return undefined
  }
}
