import type { Address } from '@lineage/referral-api'
import { useName, useWalletKitState } from '@lineage/wallet-kit'
import { formatName } from '@lineage/wallet-kit/core'
import { styled } from '@mui/material/styles'

/** Shows the primary name of an address. It is looked up only while a wallet is connected. */
export default function AddressName({ address }: { address: Address }) {
  return <NameText name={useName({ address }).name} />
}

/** Shows the name of an address that `kit.lookUpNames` has found; `useName` would look up each one by itself. */
export function FoundName({ address }: { address: Address }) {
  return <NameText name={useWalletKitState(({ names }) => names[address.toLowerCase()]?.name)} />
}

function NameText({ name }: { name: string | undefined }) {
  return name && <Name title={name}>{formatName(name)}</Name>
}

// Less prominent than the user's own label.
const Name = styled('span')(({ theme }) => ({
  marginRight: 10,
  overflowWrap: 'anywhere',
  unicodeBidi: 'isolate',
  color: theme.vars?.palette.text.primary,
}))
