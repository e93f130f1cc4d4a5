import { styled } from '@mui/material/styles'
import type { WalletOption } from '../../core/wallet.ts'
import { WalletIcon } from '../WalletIcon.tsx'

/** The wallet that a step is about. */
export function WalletHead({ wallet }: { wallet: WalletOption }) {
  return (
    <Head>
      <WalletIcon wallet={wallet} size={64} />
    </Head>
  )
}

const Head = styled('div')({ marginBottom: 24 })
