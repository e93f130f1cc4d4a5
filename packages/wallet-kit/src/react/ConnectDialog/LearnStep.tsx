import Button from '@mui/material/Button'
import { Lineage } from '../Lineage.tsx'
import { useTranslate } from '../useTranslate.ts'
import { useWalletKit } from '../useWalletKit.ts'
import { StepActions } from './StepActions.tsx'

/** What a wallet is, for whoever has none. */
export function LearnStep() {
  const { dispatch, config } = useWalletKit()
  const t = useTranslate()
  return (
    <>
      <Lineage
        items={[
          { title: t('learnOwnTitle'), text: t('learnOwnText') },
          { title: t('learnSignInTitle'), text: t('learnSignInText') },
          { title: t('learnTrustTitle'), text: t('learnTrustText') },
        ]}
      />
      <StepActions>
        <Button variant="contained" color="primary" onClick={() => dispatch({ type: 'get' })}>
          {t('getAWallet')}
        </Button>
        <Button
          color="primary"
          href={config.learnMoreUrl ?? 'https://ethereum.org/wallets/'}
          target="_blank"
          rel="noreferrer"
        >
          {t('learnMore')}
        </Button>
      </StepActions>
    </>
  )
}
