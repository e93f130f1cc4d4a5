import { styled } from '@mui/material/styles'
import type { OpeningStep } from '../../core/state/dialog.ts'
import type { WalletOption } from '../../core/wallets/wallet.ts'
import { Button } from '../Button.tsx'
import { detectDevice } from '../device/device.ts'
import { findAppLink } from '../device/findAppLink.ts'
import { canDownload } from '../device/findDownloads.ts'
import { useCopy } from '../device/useCopy.ts'
import { WalletIcon } from '../icons/WalletIcon.tsx'
import { useTranslate } from '../language/useTranslate.ts'
import { connectingTexts } from './connectingTexts.ts'
import { DownloadCards } from './DownloadCard.tsx'
import { OpenInWallet } from './OpenInWallet.tsx'
import { StoreLinks } from './StoreLinks.tsx'
import { StepActions, StepColumn, StepText, StepTitle } from './stepParts.ts'
import { useOpenApp } from './useOpenApp.ts'

type OpenAppStepProps = { step: OpeningStep; wallet: WalletOption }

/** Opens the wallet's app on a phone by a link, and offers other ways if the app does not open. */
export function OpenAppStep({ step: { uri, ...step }, wallet }: OpenAppStepProps) {
  const t = useTranslate()
  const link = uri && findAppLink(wallet.relayLinks, uri, detectDevice())
  const { ref, onClick, isStillHere } = useOpenApp(link, wallet.name)
  const isUnreachable = uri !== undefined && !link
  const hasOtherWays = isStillHere || isUnreachable
  const { state, copy } = useCopy(uri ?? '')
  const { title, text } = connectingTexts({ ...step, ...(uri && { uri }) }, wallet, t)
  // In a new tab, an https link can open the app without leaving this page.
  const newTab = link?.startsWith('https:') && { target: '_blank', rel: 'noreferrer' }
  return (
    <StepColumn>
      <WalletIcon wallet={wallet} size={72} />
      <Title>{title}</Title>
      <StepText>{text}</StepText>
      <StepActions>
        {link ? (
          <Button ref={ref} href={link} {...newTab} onClick={onClick} variant="contained" color="primary">
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
          {state === 'failed' && <StepText role="alert">{t('copyLinkFailedOnPhone')}</StepText>}
        </>
      )}
    </StepColumn>
  )
}

const Title = styled(StepTitle)({ marginTop: 20 })

const Ways = styled(DownloadCards)({ 'div + &': { marginTop: 24 } })

const Question = styled('h4')({ margin: '24px 0 12px', fontSize: 15, lineHeight: '22px', fontWeight: 600 })
