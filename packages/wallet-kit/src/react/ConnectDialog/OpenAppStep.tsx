import Button from '@mui/material/Button'
import { styled } from '@mui/material/styles'
import type { OpeningStep } from '../../core/steps.ts'
import type { WalletOption } from '../../core/wallet.ts'
import { findAppLink } from '../findAppLink.ts'
import { canDownload } from '../findDownloads.ts'
import { detectDevice } from '../platform.ts'
import { useCopy } from '../useCopy.ts'
import { useOpenApp } from '../useOpenApp.ts'
import { useTranslate } from '../useTranslate.ts'
import { WalletIcon } from '../WalletIcon.tsx'
import { DownloadCards } from './DownloadCard.tsx'
import { describeConnecting } from './describeConnecting.ts'
import { OpenInWallet } from './OpenInWallet.tsx'
import { StepActions } from './StepActions.tsx'
import { StoreLinks } from './StoreLinks.tsx'

export type OpenAppStepProps = { step: OpeningStep; wallet: WalletOption }

/** On a phone the wallet is another app, which a link opens; when it does not come up, what else there is. */
export function OpenAppStep({ step: { uri, ...step }, wallet }: OpenAppStepProps) {
  const t = useTranslate()
  const link = uri && findAppLink(wallet.relayLinks, uri, detectDevice())
  const { ref, onClick, isStillHere } = useOpenApp(link, wallet.name)
  const isUnreachable = uri !== undefined && !link
  const hasOtherWays = isStillHere || isUnreachable
  const { state, copy } = useCopy(uri ?? '')
  const { title, text } = describeConnecting({ ...step, ...(uri && { uri }) }, wallet, t)
  // A tab of its own lets an https link open the app, and leaves this page where it is.
  const newTab = link?.startsWith('https:') && { target: '_blank', rel: 'noreferrer' }
  return (
    <Column>
      <WalletIcon wallet={wallet} size={72} />
      <Title>{title}</Title>
      <Text>{text}</Text>
      <StepActions>
        {link ? (
          <Button component="a" ref={ref} href={link} {...newTab} onClick={onClick} variant="contained" color="primary">
            {t('openApp', { wallet: wallet.shortName })}
          </Button>
        ) : (
          !isUnreachable && (
            <Button variant="contained" color="primary" disabled>
              {t('openApp', { wallet: wallet.shortName })}
            </Button>
          )
        )}
        {hasOtherWays && (
          <Button variant={isUnreachable ? 'contained' : 'text'} color="primary" onClick={copy}>
            {t(state === 'copied' ? 'copied' : 'copyLink')}
          </Button>
        )}
      </StepActions>
      {isStillHere && <Question>{t('stillHere', { wallet: wallet.shortName })}</Question>}
      {hasOtherWays && (
        <>
          <Ways>
            <OpenInWallet wallet={wallet} />
            {canDownload(wallet.downloadUrls) && <StoreLinks wallet={wallet} />}
          </Ways>
          {state === 'failed' && <Text role="alert">{t('copyLinkFailedOnPhone')}</Text>}
        </>
      )}
    </Column>
  )
}

const Column = styled('div')({
  display: 'flex',
  flexDirection: 'column',
  alignItems: 'center',
  width: '100%',
  textAlign: 'center',
})

const Title = styled('h3')({ margin: '20px 0 0', fontSize: 18, lineHeight: '26px', fontWeight: 600 })

const Text = styled('p')(({ theme }) => ({
  margin: '6px 0 0',
  maxWidth: 320,
  minHeight: 42,
  fontSize: 14,
  lineHeight: '21px',
  color: (theme.vars ?? theme).palette.text.secondary,
  textWrap: 'balance',
}))

const Ways = styled(DownloadCards)({ 'div + &': { marginTop: 24 } })

const Question = styled('h4')({ margin: '24px 0 12px', fontSize: 15, lineHeight: '22px', fontWeight: 600 })
