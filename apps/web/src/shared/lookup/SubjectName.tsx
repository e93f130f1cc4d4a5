import type { Address } from '@lineage/referral-api'
import { formatName } from '@lineage/wallet-kit/core'
import { styled } from '@mui/material/styles'
import { useEffect } from 'react'
import { useKit, useKitState } from '../../lib/wallet.ts'

type Props = {
  address: Address
  /** Whether to ask; otherwise somebody else does, for many. */
  asks?: boolean
}

/** What an address is called, for beside it: a name proves nothing. Asked only while a wallet is connected. */
export default function SubjectName({ address, asks = true }: Props) {
  const kit = useKit()
  const isConnected = useKitState(({ status }) => status === 'connected' || status === 'unauthenticated')
  const name = useKitState(({ names }) => names[address.toLowerCase()]?.name)
  useEffect(() => {
    // What comes of it is in the state.
    if (isConnected && asks) kit?.lookUpName({ address }).catch(() => undefined)
  }, [kit, isConnected, address, asks])
  return name && <Name title={name}>{formatName(name)}</Name>
}

// Quieter than a label, which is the person's own word.
const Name = styled('span')(({ theme }) => ({
  marginRight: 10,
  overflowWrap: 'anywhere',
  unicodeBidi: 'isolate',
  color: theme.vars?.palette.text.primary,
}))
