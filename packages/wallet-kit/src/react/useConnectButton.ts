import { useSyncExternalStore } from 'react'
import type { Address } from 'viem'
import { formatAddress, formatName } from '../core/format.ts'
import type { Status } from '../core/state.ts'
import { chainIcons } from './chainIcons.ts'
import { useBalance } from './useBalance.ts'
import { useConnection } from './useConnection.ts'
import { useKitState } from './useKitState.ts'
import { useName } from './useName.ts'
import { useWalletKit } from './useWalletKit.ts'

/** What `ConnectButton.Custom` hands to its render prop. */
export type ConnectButtonRenderProps = {
  /** Of the connection, or of the last one while it is being restored; `undefined` while there is none. */
  account?: {
    /** Checksummed. The whole of it: show it wherever money could move. */
    address: Address
    /** Of the chain's own currency; like all of the balance `undefined` until it is known, and on a chain that is not the app's. */
    balanceDecimals?: number
    /** Shortened, without the symbol: `1.2`. */
    balanceFormatted?: string
    balanceSymbol?: string
    /** Shortened, with the symbol: `1.2 BNB`. */
    displayBalance?: string
    /** The name, cut at 24 characters; else the first and last four of the address. */
    displayName: string
    /** For an `<img>` alone: an `https:` or `data:image/` address, of the name. */
    ensAvatar?: string
    /** Whole, and of whichever source knows one. */
    ensName?: string
    hasPendingTransactions: boolean
  }
  /** The wallet's chain; without name and icon where it is none of the app's. */
  chain?: { id: number; name?: string; hasIcon: boolean; iconUrl?: string; unsupported: boolean }
  /** `false` on a server and until the page is hydrated. */
  mounted: boolean
  status: Status
  /** `loading` while a connection is restored; `undefined` while there is none, or nobody is asked to sign in. */
  authenticationStatus?: 'loading' | 'unauthenticated' | 'authenticated'
  /** Opens the account dialog; does nothing while not connected. */
  openAccountModal: () => void
  /** Opens the network dialog; does nothing while not connected. */
  openChainModal: () => void
  /** Opens the connect dialog; does nothing while connected. */
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
  const { name, avatar } = useName()
  const hasPendingTransactions = useKitState((state) => state.hasPendingTransactions)
  const isSignedIn = useKitState((state) => state.session !== undefined)
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
          displayName: name ? formatName(name) : formatAddress(address),
          ensAvatar: avatar,
          ensName: name,
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
    ...(status === 'reconnecting' && kit.config.authentication && { authenticationStatus: 'loading' }),
    ...(status === 'unauthenticated' && { authenticationStatus: status }),
    ...(isSignedIn && { authenticationStatus: 'authenticated' }),
    openAccountModal: kit.openAccountDialog,
    openChainModal: kit.openNetworkDialog,
    openConnectModal: () => void kit.openConnectDialog(),
    accountModalOpen: dialog === 'account',
    chainModalOpen: dialog === 'network',
    connectModalOpen: dialog === 'connect' || (dialog === 'signIn' && status === 'unauthenticated'),
  }
}
