import { useSyncExternalStore } from 'react'
import type { Address } from 'viem'
import { formatAddress } from '../core/format.ts'
import type { Status } from '../core/state.ts'
import { chainIcons } from './chainIcons.ts'
import { useBalance } from './useBalance.ts'
import { useConnection } from './useConnection.ts'
import { useKitState } from './useKitState.ts'
import { useWalletKit } from './useWalletKit.ts'

/** What `ConnectButton.Custom` hands to its render prop. */
export type ConnectButtonRenderProps = {
  /** Of the connection, or of the last one while it is being restored. */
  account?: {
    address: Address
    balanceDecimals?: number
    balanceFormatted?: string
    balanceSymbol?: string
    displayBalance?: string
    displayName: string
    hasPendingTransactions: boolean
  }
  chain?: { id: number; name?: string; hasIcon: boolean; iconUrl?: string; unsupported: boolean }
  /** `false` on a server and until the page is hydrated. */
  mounted: boolean
  status: Status
  openAccountModal: () => void
  openChainModal: () => void
  openConnectModal: () => void
  accountModalOpen: boolean
  chainModalOpen: boolean
  connectModalOpen: boolean
}

const never = () => () => undefined

/** All that a connect button says and does. */
export function useConnectButton(): ConnectButtonRenderProps {
  const kit = useWalletKit()
  const { status, address, chainId, chain, isSupportedChain } = useConnection()
  const balance = useBalance()
  const hasPendingTransactions = useKitState((state) => state.hasPendingTransactions)
  const dialog = useKitState((state) => state.dialog.name)
  const mounted = useSyncExternalStore(
    never,
    () => true,
    () => false,
  )
  const iconUrl = chain?.iconUrl ?? (chain && chainIcons[chain.id])
  const isKnown = status === 'connected' || status === 'reconnecting'
  return {
    ...(isKnown &&
      address && {
        account: {
          address,
          balanceDecimals: balance.decimals,
          balanceFormatted: balance.formatted?.split(' ')[0],
          balanceSymbol: balance.symbol,
          displayBalance: balance.formatted,
          displayName: formatAddress(address),
          hasPendingTransactions,
        },
      }),
    ...(isKnown &&
      chainId !== undefined && {
        chain: {
          id: chainId,
          name: chain?.name,
          hasIcon: iconUrl !== undefined,
          iconUrl,
          unsupported: !isSupportedChain,
        },
      }),
    mounted,
    status,
    openAccountModal: kit.openAccountDialog,
    openChainModal: kit.openNetworkDialog,
    openConnectModal: () => void kit.openConnectDialog(),
    accountModalOpen: dialog === 'account',
    chainModalOpen: dialog === 'network',
    connectModalOpen: dialog === 'connect' || (dialog === 'signIn' && status === 'unauthenticated'),
  }
}
