import { useWalletKitState } from './useWalletKitState.ts'

/** Returns a function that checks whether the connected wallet may switch to a chain if it is asked. */
export function useCanSwitchTo(): (chainId: number) => boolean {
  const connector = useWalletKitState((state) => state.connector)
  return (chainId) => connector?.canSwitchTo?.(chainId) ?? true
}
