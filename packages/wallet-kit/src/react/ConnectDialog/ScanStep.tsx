import { keyframes, styled } from '@mui/material/styles'
import { lazy, Suspense } from 'react'
import type { OpeningStep } from '../../core/state/state.ts'
import type { WalletOption } from '../../core/wallets/wallet.ts'
import { Button } from '../Button.tsx'
import { createRelayLink } from '../device/appLinks.ts'
import { canDownload } from '../device/findDownloads.ts'
import { useCopy } from '../device/useCopy.ts'
import { VisuallyHidden } from '../dialog/VisuallyHidden.ts'
import { useWalletKit } from '../hooks/useWalletKit.ts'
import { WalletIcon } from '../icons/WalletIcon.tsx'
import { useTranslate } from '../language.ts'
import { connectingTexts } from './connectingTexts.ts'
import { StepColumn } from './stepParts.ts'

const QrCode = lazy(() => import('./QrCode.tsx').then((module) => ({ default: module.QrCode })))

type ScanStepProps = { step: OpeningStep; wallet: WalletOption }

/** Shows the QR code for a wallet on another device. Reserves its place while the code is loading. */
export function ScanStep({ step, wallet }: ScanStepProps) {
  const { dispatch } = useWalletKit()
  const t = useTranslate()
  const { uri } = step
  const { state, copy } = useCopy(uri ?? '')
  const label = t('qrCode', { wallet: wallet.name })
  return (
    <StepColumn>
      <Frame data-waiting={uri === undefined || undefined}>
        <Suspense>{uri && <QrCode text={createRelayLink(wallet.relayLinks?.qrCode, uri)} label={label} />}</Suspense>
        <Middle>
          <WalletIcon wallet={wallet} size={44} />
        </Middle>
      </Frame>
      <VisuallyHidden role="status">{state === 'copied' && t('copied')}</VisuallyHidden>
      <Text role={state === 'failed' ? 'alert' : undefined}>
        {state === 'failed' ? t('copyLinkFailed') : connectingTexts(step, wallet, t).text}
      </Text>
      <Actions>
        <Button color="primary" onClick={copy} disabled={!uri}>
          {t(state === 'copied' ? 'copied' : 'copyLink')}
        </Button>
        {canDownload(wallet.downloadUrls) && (
          <>
            <span>{t('dontHave', { wallet: wallet.shortName })}</span>
            <Button
              color="primary"
              onClick={() => dispatch({ type: 'choose', walletId: wallet.id })}
              aria-label={t('get', { wallet: wallet.name })}
            >
              {t('getShort')}
            </Button>
          </>
        )}
      </Actions>
    </StepColumn>
  )
}

const breathe = keyframes({ from: { opacity: 0.5 }, to: { opacity: 1 } })

const Frame = styled('div')(({ theme }) => ({
  position: 'relative',
  flex: 'none',
  width: 292,
  maxWidth: '100%',
  aspectRatio: '1',
  borderRadius: (theme.vars ?? theme).shape.borderRadius,
  background: '#fff',
  // Keeps the code dark on light with forced colours.
  forcedColorAdjust: 'none',
  overflow: 'hidden',
  boxShadow: 'inset 0 0 0 1px rgba(128, 128, 128, 0.16)',
  '@media (max-width: 767.95px)': { width: 256 },
  '&[data-waiting]': { animation: `${breathe} 1s ease-in-out infinite alternate` },
}))

/** Covers 4 % of the code; error correction M recovers 15 %. */
const Middle = styled('span')({
  position: 'absolute',
  inset: 0,
  width: 'fit-content',
  height: 'fit-content',
  margin: 'auto',
  padding: 6,
  borderRadius: 16,
  background: '#fff',
})

const Text = styled('p')(({ theme }) => ({
  margin: '10px 0 0',
  maxWidth: 340,
  minHeight: 40,
  fontSize: 14,
  lineHeight: '20px',
  textAlign: 'center',
  color: (theme.vars ?? theme).palette.text.secondary,
  textWrap: 'balance',
}))

const Actions = styled('div')(({ theme }) => ({
  display: 'flex',
  flexWrap: 'wrap',
  alignItems: 'center',
  justifyContent: 'center',
  columnGap: 4,
  fontSize: 14,
  color: (theme.vars ?? theme).palette.text.secondary,
  '& .MuiButton-root': { minWidth: 44, minHeight: 44, paddingInline: 8 },
}))
