import Button from '@mui/material/Button'
import type { WalletOption } from '../../core/wallet.ts'
import { isOnPhone } from '../platform.ts'
import { useTranslate } from '../useTranslate.ts'
import { useWalletKit } from '../useWalletKit.ts'
import { DownloadCards } from './DownloadCard.tsx'
import { OpenInWallet } from './OpenInWallet.tsx'
import { StepActions } from './StepActions.tsx'
import { StoreLinks } from './StoreLinks.tsx'
import { WalletHead } from './WalletHead.tsx'

/** A wallet that is an app: its stores, and then what to do with it. */
export function DownloadStep({ wallet }: { wallet: WalletOption }) {
  const { dispatch } = useWalletKit()
  const t = useTranslate()
  return (
    <>
      <WalletHead wallet={wallet} />
      <DownloadCards>
        {isOnPhone() && <OpenInWallet wallet={wallet} />}
        <StoreLinks wallet={wallet} />
      </DownloadCards>
      <StepActions>
        <Button variant="contained" color="primary" onClick={() => dispatch({ type: 'continue' })}>
          {t('continue')}
        </Button>
      </StepActions>
    </>
  )
}
