import { styled } from '@mui/material/styles'
import { useEffect, useId, useRef } from 'react'
import type { ConnectStep } from '../../core/steps.ts'
import type { WalletOption } from '../../core/wallet.ts'
import { DialogFrame } from '../DialogFrame.tsx'
import { DialogHeader, Title } from '../DialogHeader.tsx'
import { LiveStatus, VisuallyHidden } from '../LiveStatus.tsx'
import { enterList } from '../onArrowKeys.ts'
import { detectDevice, isPhone } from '../platform.ts'
import { useKitState } from '../useKitState.ts'
import { useLayout } from '../useLayout.ts'
import { type Translate, useTranslate } from '../useTranslate.ts'
import { useWalletKit } from '../useWalletKit.ts'
import { ConnectingStepView } from './ConnectingStepView.tsx'
import { DownloadOptionsStep } from './DownloadOptionsStep.tsx'
import { DownloadStep } from './DownloadStep.tsx'
import { describeConnecting, isRelayed } from './describeConnecting.ts'
import { GetStep } from './GetStep.tsx'
import { InstructionsStep } from './InstructionsStep.tsx'
import { LearnStep } from './LearnStep.tsx'
import { OpenAppStep } from './OpenAppStep.tsx'
import { ScanStep } from './ScanStep.tsx'
import { WalletList } from './WalletList.tsx'

export type ConnectDialogProps = { open: boolean; onExited: () => void; step: ConnectStep; canGoBack: boolean }

/** Which wallet, and what happens with it. Wide: the list stays beside the step. */
export function ConnectDialog({ open, onExited, step, canGoBack }: ConnectDialogProps) {
  const { dispatch, config } = useWalletKit()
  const t = useTranslate()
  const layout = useLayout()
  const titleId = useId()
  const statusId = useId()
  const wallets = useKitState((state) => state.wallets)
  const wallet = 'walletId' in step ? wallets.find(({ id }) => id === step.walletId) : undefined
  const titleRef = useStepFocus(step)
  const listRef = useRef<HTMLDivElement>(null)

  const isWide = layout === 'wide'
  const isList = step.name === 'list'
  const name = t('connectAWallet')
  const list = (
    <WalletList
      listRef={listRef}
      wallets={wallets}
      selectedId={wallet?.id}
      layout={layout}
      disclaimer={config.disclaimer}
    />
  )
  const view = <StepView step={step} wallet={wallet} />
  return (
    <DialogFrame
      open={open}
      onExited={onExited}
      labelledBy={titleId}
      describedBy={statusId}
      width={isWide ? 720 : 368}
      height={isWide ? 504 : 468}
      isSheet={layout === 'phone'}
      onKeyDown={(event) => enterList(event, listRef.current)}
    >
      <LiveStatus id={statusId} description={describe(step, wallet, t)}>
        {step.name === 'connecting' || (isWide && !isList) ? describe(step, wallet, t) : undefined}
      </LiveStatus>
      {isWide && (
        <Side>
          <SideTitle id={titleId}>{name}</SideTitle>
          {list}
        </Side>
      )}
      <Pane>
        {!isWide && !isList && <VisuallyHidden id={titleId}>{name}</VisuallyHidden>}
        <DialogHeader
          title={!isWide && isList ? name : paneTitle(step, wallet, t)}
          titleId={!isWide && isList ? titleId : undefined}
          titleRef={titleRef}
          onBack={canGoBack ? () => dispatch({ type: 'back' }) : undefined}
        />
        {!isWide && isList ? list : <Body key={step.name}>{view}</Body>}
      </Pane>
    </DialogFrame>
  )
}

function StepView({ step, wallet }: { step: ConnectStep; wallet: WalletOption | undefined }) {
  if (step.name === 'list' || step.name === 'learn') return <LearnStep />
  if (step.name === 'get') return <GetStep />
  // A wallet that was taken off the page while it was on screen.
  if (!wallet) return null
  switch (step.name) {
    case 'connecting':
      if (!isRelayed(step, wallet)) return <ConnectingStepView step={step} wallet={wallet} />
      return isPhone(detectDevice().platform) ? (
        <OpenAppStep step={step} wallet={wallet} />
      ) : (
        <ScanStep step={step} wallet={wallet} />
      )
    case 'downloadOptions':
      return <DownloadOptionsStep wallet={wallet} />
    case 'download':
      return <DownloadStep wallet={wallet} />
    default:
      return <InstructionsStep wallet={wallet} kind={step.name} />
  }
}

function paneTitle(step: ConnectStep, wallet: WalletOption | undefined, t: Translate): string {
  if (step.name === 'list' || step.name === 'learn') return t('whatIsAWallet')
  if (step.name === 'get') return t('getAWallet')
  const name = wallet?.name ?? ''
  if (step.name === 'connecting' && wallet && isRelayed(step, wallet) && !isPhone(detectDevice().platform))
    return describeConnecting(step, wallet, t).title
  return step.name === 'connecting' ? name : t('get', { wallet: name })
}

function describe(step: ConnectStep, wallet: WalletOption | undefined, t: Translate): string {
  if (step.name === 'list') return t('chooseWallet')
  if (step.name !== 'connecting' || !wallet) return paneTitle(step, wallet, t)
  const { title, text } = describeConnecting(step, wallet, t)
  return `${title} ${text}`
}

/** When the control that had the focus is gone with its step, the new step's title gets it. */
function useStepFocus(step: ConnectStep) {
  const titleRef = useRef<HTMLHeadingElement>(null)
  const shown = useRef(step.name)
  useEffect(() => {
    if (shown.current === step.name) return
    shown.current = step.name
    const dialog = titleRef.current?.closest('[role="dialog"]')
    if (!dialog?.contains(document.activeElement) || document.activeElement === dialog) titleRef.current?.focus()
  }, [step.name])
  return titleRef
}

const Side = styled('section')(({ theme }) => ({
  display: 'flex',
  flexDirection: 'column',
  flex: '0 0 288px',
  minWidth: 0,
  minHeight: 0,
  borderInlineEnd: `1px solid ${(theme.vars ?? theme).palette.divider}`,
}))

const SideTitle = styled(Title)({ textAlign: 'start', padding: '20px 20px 10px' })

const Pane = styled('section')({ display: 'flex', flexDirection: 'column', flex: 1, minWidth: 0, minHeight: 0 })

const Body = styled('div')({
  display: 'flex',
  flexDirection: 'column',
  alignItems: 'center',
  justifyContent: 'safe center',
  flex: 1,
  minHeight: 0,
  overflowY: 'auto',
  overscrollBehavior: 'contain',
  padding: '12px 24px 28px',
})
