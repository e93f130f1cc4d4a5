import type { Address } from 'viem'
import { formatAddress, formatName } from '../../core/lib/format.ts'
import type { Status } from '../../core/state/state.ts'
import type { WalletKit } from '../../core/WalletKit.ts'
import { useAccountBalance } from '../hooks/useAccountBalance.ts'
import { isConnectDialogOpen } from '../hooks/useDialogs.ts'
import { useName } from '../hooks/useName.ts'
import { useWalletConnection } from '../hooks/useWalletConnection.ts'
import { useIsHydrated, useWalletKitState } from '../hooks/useWalletKit.ts'
import { useChainIcons } from '../icons/ChainIcon.tsx'
import { useWalletKitContext } from '../WalletKitContext.ts'

export type ConnectButtonRenderProps = {
  /** The connected account, or the last one while it is being restored. */
  account?: {
    /** Address with checksum. Show all of it wherever money could move. */
    address: Address
    /** Decimals of the chain's own currency. All balance fields are missing until it is read, and on unsupported chains. */
    balanceDecimals?: number
    /** Exact decimal number, without the symbol: `1.23456789`. */
    balanceFormatted?: string
    balanceSymbol?: string
    /** Shortened, with the symbol: `1.2 BNB`. */
    displayBalance?: string
    /** The name, cut at 24 characters, or else the shortened address. */
    displayName: string
    /** `https:` or `data:image/` address of the name's picture. Use it only in an `<img>`. */
    avatar?: string
    /** The full name, from any of the configured sources. */
    name?: string
    hasPendingTransactions: boolean
  }
  /** The wallet's chain, without name and icon if the app does not support it. */
  chain?: { id: number; name?: string; hasIcon: boolean; iconUrl?: string; unsupported: boolean }
  /** `false` on a server, during hydration, and while the provider has no kit yet. */
  mounted: boolean
  status: Status
  /** `loading` while a connection is restored; missing without a connection, or if the app has no sign-in. */
  authenticationStatus?: 'loading' | 'unauthenticated' | 'authenticated'
  /**
   * Opens the account dialog. While the account is restored, opens it as soon as the wallet has answered; after a second
   * without an answer, the connect dialog is open meanwhile. Does nothing while disconnected.
   */
  openAccountModal: () => void
  /** Opens the network dialog; does nothing while not connected. */
  openChainModal: () => void
  /** Opens the connect dialog; does nothing while connected. */
  openConnectModal: () => void
  accountModalOpen: boolean
  chainModalOpen: boolean
  connectModalOpen: boolean
}

/** Returns state and actions of a connect button. */
export function useConnectButton(): ConnectButtonRenderProps {
  const { kit } = useWalletKitContext()
  const { status, address, chainId, chain, isSupportedChain } = useWalletConnection()
  const balance = useAccountBalance()
  const { name, avatar } = useName()
  const hasPendingTransactions = useWalletKitState((state) => state.hasPendingTransactions)
  const isSignedIn = useWalletKitState((state) => state.session !== undefined)
  const dialog = useWalletKitState((state) => state.dialog.name)
  const connectModalOpen = useWalletKitState(isConnectDialogOpen)
  const mounted = useIsHydrated() && kit !== undefined
  const iconOf = useChainIcons(chain ? [chain] : [])
  const iconUrl = chain && iconOf(chain)
  const isKnown = status === 'connected' || status === 'reconnecting'
  return {
    ...(isKnown &&
      address && {
        account: {
          address,
          balanceDecimals: balance.decimals,
          balanceFormatted: balance.formatted,
          balanceSymbol: balance.symbol,
          displayBalance: balance.displayBalance,
          displayName: name ? formatName(name) : formatAddress(address),
          avatar,
          name,
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
    ...(status === 'reconnecting' && kit?.config.authentication && { authenticationStatus: 'loading' }),
    ...(status === 'unauthenticated' && { authenticationStatus: status }),
    ...(isSignedIn && { authenticationStatus: 'authenticated' }),
    openAccountModal: () => kit && openAccount(kit),
    openChainModal: () => kit?.openNetworkDialog(),
    openConnectModal: () => void kit?.openConnectDialog(),
    accountModalOpen: dialog === 'account',
    chainModalOpen: dialog === 'network',
    connectModalOpen,
  }
}

/** Milliseconds for which a press waits for the account that is restored, before other wallets are offered. */
const patience = 1_000

/** Opens the account dialog, if need be after the account is restored. Offers other wallets while its wallet is silent. */
function openAccount(kit: WalletKit): void {
  const isRestoring = () => kit.getState().status === 'reconnecting'
  if (!isRestoring()) {
    kit.openAccountDialog()
    return
  }
  const open = async () => {
    clearTimeout(timer)
    unsubscribe()
    const { dialog, status, walletId, address } = kit.getState()
    if (dialog.name !== 'none') return
    if (status !== 'connected') {
      const connection = await kit.openConnectDialog()
      if (connection?.walletId !== walletId || connection?.address !== address) return
    }
    kit.openAccountDialog()
  }
  const timer = setTimeout(() => void open(), patience)
  const unsubscribe = kit.subscribe(() => isRestoring() || void open())
}
