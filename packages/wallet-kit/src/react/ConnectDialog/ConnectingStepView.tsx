import { keyframes, styled } from '@mui/material/styles'
import type { ConnectingStep } from '../../core/state/state.ts'
import type { WalletOption } from '../../core/wallets/wallet.ts'
import { Button } from '../Button.tsx'
import { isOnPhone } from '../device/device.ts'
import { canDownload } from '../device/findDownloads.ts'
import { useWalletKit } from '../hooks/useWalletKit.ts'
import { WalletIcon } from '../icons/WalletIcon.tsx'
import { useTranslate } from '../language.ts'
import { connectingTexts } from './connectingTexts.ts'
import { Notice, StepActions, StepColumn, StepText, StepTitle } from './stepParts.ts'
import { DownloadCards, OpenInWallet } from './WalletLinks.tsx'

type ConnectingStepViewProps = { step: ConnectingStep; wallet: WalletOption }

/** Shows the state of a request to a wallet. Every phase has the same layout, so that nothing jumps. */
export function ConnectingStepView({ step, wallet }: ConnectingStepViewProps) {
  const { dispatch } = useWalletKit()
  const t = useTranslate()
  const { title, text, detail } = connectingTexts(step, wallet, t)
  const isWaiting = step.phase === 'opening' || step.phase === 'alreadyOpen'
  const isMissing = step.phase === 'failed' && !wallet.installed && canDownload(wallet.downloadUrls)
  return (
    <StepColumn>
      <WalletIcon wallet={wallet} size={72} />
      <Line data-phase={step.phase} aria-hidden="true" />
      <StepTitle>{title}</StepTitle>
      <StepText>{text}</StepText>
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
        <OtherLinks>
          <OpenInWallet wallet={wallet} />
        </OtherLinks>
      )}
      {!wallet.verified && <Notice>{t('unverifiedWarning')}</Notice>}
    </StepColumn>
  )
}

// Relative to the middle, so that it works in both writing directions.
const swing = keyframes({ from: { transform: 'translateX(-43.5px)' }, to: { transform: 'translateX(43.5px)' } })

const OtherLinks = styled(DownloadCards)({ marginTop: 24 })

/** Draws a line with a dot that moves while the wallet is being asked. */
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
      animation: `${swing} 1.2s ease-in-out infinite alternate`,
    },
    '@media (forced-colors: active)': {
      '&::after': { background: 'CanvasText !important', forcedColorAdjust: 'none' },
    },
    '&[data-phase=alreadyOpen]::after': { background: palette.warning.main },
    '&:not([data-phase=opening], [data-phase=alreadyOpen])::after': { animation: 'none' },
    '&[data-phase=rejected]::after, &[data-phase=cancelled]::after': { background: palette.text.secondary },
    '&[data-phase=failed]::after': { background: palette.error.main },
  }
})

const Detail = styled('p')(({ theme }) => ({
  margin: '4px 0 0',
  maxWidth: 320,
  minHeight: 18,
  fontSize: 12,
  lineHeight: '18px',
  color: (theme.vars ?? theme).palette.text.secondary,
  overflowWrap: 'anywhere',
}))

const Actions = styled(StepActions)({ minHeight: 44, marginTop: 16 })
