import type { Address } from '@lineage/referral-api'
import { useWalletKit, useWalletKitState } from '@lineage/wallet-kit'
import { formatName } from '@lineage/wallet-kit/core'
import { styled } from '@mui/material/styles'
import { useEffect } from 'react'

type Props = {
  address: Address
  /** `false` when the caller looks up many names at once. */
  asks?: boolean
}

/** Shows the primary name of an address. It is looked up only while a wallet is connected. */
export default function AddressName({ address, asks = true }: Props) {
  const kit = useWalletKit({ shouldThrow: false })
  const isConnected = useWalletKitState(({ status }) => status === 'connected' || status === 'unauthenticated')
  const name = useWalletKitState(({ names }) => names[address.toLowerCase()]?.name)
  useEffect(() => {
    // The name appears in the kit's state.
    if (isConnected && asks) kit?.lookUpName({ address }).catch(() => undefined)
  }, [kit, isConnected, address, asks])
  return name && <Name title={name}>{formatName(name)}</Name>
}

// Less prominent than the user's own label.
const Name = styled('span')(({ theme }) => ({
  marginRight: 10,
  overflowWrap: 'anywhere',
  unicodeBidi: 'isolate',
  color: theme.vars?.palette.text.primary,
}))
