import { useWalletKitState } from './useWalletKitState.ts'

/**
 * Returns a function that checks whether the connected wallet may switch to a chain if it is asked. Connectors do not
 * report changes, so use it for texts, not to disable a button.
 */
export function useCanSwitchTo(): (chainId: number) => boolean {
  const connector = useWalletKitState((state) => state.connector)
  return (chainId) => connector?.canSwitchTo?.(chainId) ?? true
}
