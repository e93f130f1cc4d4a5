import { Button } from '../Button.tsx'
import { useWalletKit } from '../hooks/useWalletKit.ts'
import { useTranslate } from '../language/useTranslate.ts'
import { StepActions } from './stepParts.ts'
import { Timeline } from './Timeline.tsx'

/** Explains what a wallet is. */
export function LearnStep() {
  const { dispatch, config } = useWalletKit()
  const t = useTranslate()
  return (
    <>
      <Timeline
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
