import type { WalletOption } from '../../core/wallets/wallet.ts'
import { Button } from '../Button.tsx'
import { isOnPhone } from '../device/device.ts'
import { useWalletKit } from '../hooks/useWalletKit.ts'
import { useTranslate } from '../language/useTranslate.ts'
import { DownloadCards } from './DownloadCard.tsx'
import { OpenInWallet } from './OpenInWallet.tsx'
import { StoreLinks } from './StoreLinks.tsx'
import { StepActions } from './stepParts.ts'
import { WalletHead } from './WalletHead.tsx'

/** Links to the stores of a wallet's app; Continue leads to the instructions. */
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
