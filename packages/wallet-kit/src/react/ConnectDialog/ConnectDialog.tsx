import { styled } from '@mui/material/styles'
import {
  createContext,
  memo,
  type RefObject,
  useContext,
  useDeferredValue,
  useEffect,
  useId,
  useMemo,
  useRef,
  useState,
} from 'react'
import type { ConnectStep } from '../../core/steps.ts'
import type { WalletOption } from '../../core/wallet.ts'
import { DialogFrame } from '../DialogFrame.tsx'
import { DialogHeader, Title } from '../DialogHeader.tsx'
import { LiveStatus, VisuallyHidden } from '../LiveStatus.tsx'
import { enterList } from '../onArrowKeys.ts'
import { isOnPhone } from '../platform.ts'
import { useKitState } from '../useKitState.ts'
import { type Layout, useLayout } from '../useLayout.ts'
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

type Shown = Pick<ConnectDialogProps, 'step' | 'canGoBack'> & {
  wallets: readonly WalletOption[]
  selectedId: string | undefined
}

/** What the dialog shows: so given, it is drawn anew without the frame around it, and the frame without it. */
const ShownContext = createContext<Shown | undefined>(undefined)

/** Which wallet, and what happens with it. Wide: the list stays beside the step. */
export function ConnectDialog({ open, onExited, step, canGoBack }: ConnectDialogProps) {
  const layout = useLayout()
  const titleId = useId()
  const statusId = useId()
  const listRef = useRef<HTMLDivElement>(null)
  const wallets = useKitState((state) => state.wallets)
  const selectedId = 'walletId' in step ? step.walletId : undefined

  // What was pressed is marked at once, and its step drawn after that; never one that is over by then, as when a wallet has
  // answered already. And what fades out stays as it was, though a connection moves its wallet to the front.
  const latest = useDeferredValue(useMemo(() => ({ step, canGoBack, wallets }), [step, canGoBack, wallets]))
  const [drawn, setDrawn] = useState(latest)
  if (open && drawn !== latest) setDrawn(latest)
  const shown = useMemo(() => ({ ...drawn, selectedId }), [drawn, selectedId])

  const isWide = layout === 'wide'
  const frame = useMemo(
    () => (
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
        <Content layout={layout} titleId={titleId} statusId={statusId} listRef={listRef} />
      </DialogFrame>
    ),
    [open, onExited, layout, isWide, titleId, statusId],
  )
  return <ShownContext.Provider value={shown}>{frame}</ShownContext.Provider>
}

type ContentProps = { layout: Layout; titleId: string; statusId: string; listRef: RefObject<HTMLDivElement | null> }

const Content = memo(function Content({ layout, titleId, statusId, listRef }: ContentProps) {
  const { dispatch, config } = useWalletKit()
  const t = useTranslate()
  const { step, canGoBack, wallets, selectedId } = useContext(ShownContext) as Shown
  const isWide = layout === 'wide'
  // Beside a list that opens, what explains it is drawn second.
  const hasBody = useDeferredValue(true, !isWide)
  const wallet = 'walletId' in step ? wallets.find(({ id }) => id === step.walletId) : undefined
  const titleRef = useStepFocus(step)

  const isList = step.name === 'list'
  const name = t('connectAWallet')
  const list = (
    <WalletList
      listRef={listRef}
      wallets={wallets}
      selectedId={selectedId}
      layout={layout}
      disclaimer={config.disclaimer}
    />
  )
  return (
    <>
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
        {!isWide && isList ? list : <Body key={step.name}>{hasBody && <StepView step={step} wallet={wallet} />}</Body>}
      </Pane>
    </>
  )
})

const StepView = memo(function StepView({ step, wallet }: { step: ConnectStep; wallet: WalletOption | undefined }) {
  if (step.name === 'list' || step.name === 'learn') return <LearnStep />
  if (step.name === 'get') return <GetStep />
  // A wallet that was taken off the page while it was on screen.
  if (!wallet) return null
  switch (step.name) {
    case 'connecting':
      if (!isRelayed(step, wallet)) return <ConnectingStepView step={step} wallet={wallet} />
      return isOnPhone() ? <OpenAppStep step={step} wallet={wallet} /> : <ScanStep step={step} wallet={wallet} />
    case 'downloadOptions':
      return <DownloadOptionsStep wallet={wallet} />
    case 'download':
      return <DownloadStep wallet={wallet} />
    default:
      return <InstructionsStep wallet={wallet} kind={step.name} />
  }
})

function paneTitle(step: ConnectStep, wallet: WalletOption | undefined, t: Translate): string {
  if (step.name === 'list' || step.name === 'learn') return t('whatIsAWallet')
  if (step.name === 'get') return t('getAWallet')
  const name = wallet?.name ?? ''
  if (step.name === 'connecting' && wallet && isRelayed(step, wallet) && !isOnPhone())
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
