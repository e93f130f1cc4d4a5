import { styled } from '@mui/material/styles'
import type { WalletOption } from '../../core/wallets/wallet.ts'
import { WalletIcon } from '../icons/WalletIcon.tsx'

/** Shows the wallet's icon at the top of a step. */
export function WalletHead({ wallet }: { wallet: WalletOption }) {
  return (
    <Head>
      <WalletIcon wallet={wallet} size={64} />
    </Head>
  )
}

const Head = styled('div')({ marginBottom: 24 })
