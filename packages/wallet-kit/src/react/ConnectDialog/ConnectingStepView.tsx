import Button from '@mui/material/Button'
import { keyframes, styled } from '@mui/material/styles'
import type { ConnectingStep } from '../../core/steps.ts'
import type { WalletOption } from '../../core/wallet.ts'
import { canDownload } from '../findDownloads.ts'
import { isOnPhone } from '../platform.ts'
import { useTranslate } from '../useTranslate.ts'
import { useWalletKit } from '../useWalletKit.ts'
import { WalletIcon } from '../WalletIcon.tsx'
import { DownloadCards } from './DownloadCard.tsx'
import { describeConnecting } from './describeConnecting.ts'
import { Notice } from './Notice.tsx'
import { OpenInWallet } from './OpenInWallet.tsx'

export type ConnectingStepViewProps = { step: ConnectingStep; wallet: WalletOption }

/** A wallet is being asked, or has answered. Every phase has the same places, so that nothing jumps. */
export function ConnectingStepView({ step, wallet }: ConnectingStepViewProps) {
  const { dispatch } = useWalletKit()
  const t = useTranslate()
  const { title, text, detail } = describeConnecting(step, wallet, t)
  const isWaiting = step.phase === 'opening' || step.phase === 'alreadyOpen'
  const isMissing = step.phase === 'failed' && !wallet.installed && canDownload(wallet.downloadUrls)
  return (
    <Column>
      <WalletIcon wallet={wallet} size={72} />
      <Line data-phase={step.phase} aria-hidden="true" />
      <Title>{title}</Title>
      <Text>{text}</Text>
      <Detail>{detail}</Detail>
      <Actions>
        {!isWaiting && (
          <Button variant="contained" color="primary" onClick={() => dispatch({ type: 'retry' })}>
            {t('retry')}
          </Button>
        )}
        {isMissing && (
          <Button variant="text" color="primary" onClick={() => dispatch({ type: 'choose', walletId: wallet.id })}>
            {t('get', { wallet: wallet.shortName })}
          </Button>
        )}
      </Actions>
      {step.phase === 'failed' && isOnPhone() && (
        <Ways>
          <OpenInWallet wallet={wallet} />
        </Ways>
      )}
      {!wallet.verified && <Notice>{t('unverifiedWarning')}</Notice>}
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

// From the middle, so that it is the same in languages that run the other way.
const travel = keyframes({ from: { transform: 'translateX(-43.5px)' }, to: { transform: 'translateX(43.5px)' } })

const Ways = styled(DownloadCards)({ marginTop: 24 })

/** The line between the page and the wallet, and what travels on it. */
const Line = styled('span')(({ theme }) => {
  const { palette } = theme.vars ?? theme
  return {
    position: 'relative',
    width: 96,
    height: 9,
    margin: '24px 0 20px',
    background: `linear-gradient(${palette.divider}, ${palette.divider}) center / 100% 1px no-repeat`,
    '&::after': {
      content: '""',
      position: 'absolute',
      insetInlineStart: 43.5,
      top: 0,
      width: 9,
      height: 9,
      borderRadius: '50%',
      background: palette.primary.main,
      animation: `${travel} 1.2s ease-in-out infinite alternate`,
    },
    '@media (forced-colors: active)': {
      '&::after': { background: 'CanvasText !important', forcedColorAdjust: 'none' },
    },
    '&[data-phase=alreadyOpen]::after': { background: palette.warning.main },
    '&[data-phase=rejected]::after, &[data-phase=failed]::after': { animation: 'none' },
    '&[data-phase=rejected]::after': { background: palette.text.secondary },
    '&[data-phase=failed]::after': { background: palette.error.main },
  }
})

const Title = styled('h3')({ margin: 0, fontSize: 18, lineHeight: '26px', fontWeight: 600, overflowWrap: 'anywhere' })

const Text = styled('p')(({ theme }) => ({
  margin: '6px 0 0',
  maxWidth: 320,
  minHeight: 42,
  fontSize: 14,
  lineHeight: '21px',
  color: (theme.vars ?? theme).palette.text.secondary,
  textWrap: 'balance',
}))

const Detail = styled('p')(({ theme }) => ({
  margin: '4px 0 0',
  maxWidth: 320,
  minHeight: 18,
  fontSize: 12,
  lineHeight: '18px',
  color: (theme.vars ?? theme).palette.text.secondary,
  overflowWrap: 'anywhere',
}))

const Actions = styled('div')({
  display: 'flex',
  flexWrap: 'wrap',
  justifyContent: 'center',
  gap: 8,
  minHeight: 44,
  marginTop: 16,
  '& .MuiButton-root': { minHeight: 44, paddingInline: 20 },
})
