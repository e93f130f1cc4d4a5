import Button from '@mui/material/Button'
import { keyframes, styled } from '@mui/material/styles'
import { lazy, Suspense } from 'react'
import type { OpeningStep } from '../../core/steps.ts'
import type { WalletOption } from '../../core/wallet.ts'
import { fillRelayLink } from '../fillRelayLink.ts'
import { canDownload } from '../findDownloads.ts'
import { VisuallyHidden } from '../LiveStatus.tsx'
import { useCopy } from '../useCopy.ts'
import { useTranslate } from '../useTranslate.ts'
import { useWalletKit } from '../useWalletKit.ts'
import { WalletIcon } from '../WalletIcon.tsx'
import { describeConnecting } from './describeConnecting.ts'

const QrCode = lazy(() => import('./QrCode.tsx').then((module) => ({ default: module.QrCode })))

export type ScanStepProps = { step: OpeningStep; wallet: WalletOption }

/** A wallet on another device reads a code. Its place is kept while the code is on its way. */
export function ScanStep({ step, wallet }: ScanStepProps) {
  const { dispatch } = useWalletKit()
  const t = useTranslate()
  const { uri } = step
  const { state, copy } = useCopy(uri ?? '')
  const label = t('qrCode', { wallet: wallet.name })
  return (
    <Column>
      <Frame data-waiting={uri === undefined || undefined}>
        <Suspense>{uri && <QrCode text={fillRelayLink(wallet.relayLinks?.qrCode, uri)} label={label} />}</Suspense>
        <Middle>
          <WalletIcon wallet={wallet} size={44} />
        </Middle>
      </Frame>
      <VisuallyHidden role="status">{state === 'copied' && t('copied')}</VisuallyHidden>
      <Text role={state === 'failed' ? 'alert' : undefined}>
        {state === 'failed' ? t('copyLinkFailed') : describeConnecting(step, wallet, t).text}
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
    </Column>
  )
}

const Column = styled('div')({ display: 'flex', flexDirection: 'column', alignItems: 'center', width: '100%' })

const breathe = keyframes({ from: { opacity: 0.5 }, to: { opacity: 1 } })

const Frame = styled('div')(({ theme }) => ({
  position: 'relative',
  flex: 'none',
  width: 292,
  maxWidth: '100%',
  aspectRatio: '1',
  borderRadius: (theme.vars ?? theme).shape.borderRadius,
  background: '#fff',
  // Dark on light, also where a person has chosen other colours.
  forcedColorAdjust: 'none',
  overflow: 'hidden',
  boxShadow: 'inset 0 0 0 1px rgba(128, 128, 128, 0.16)',
  '@media (max-width: 767.95px)': { width: 256 },
  '&[data-waiting]': { animation: `${breathe} 1s ease-in-out infinite alternate` },
}))

/** Error correction M recovers 15 % of a code: this hides 4 %. */
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
