import { memo, type ReactNode, type RefObject, useEffect, useId, useRef, useState } from 'react'
import type { ConnectFlow, ConnectStep } from '../../core/state/state.ts'
import type { WalletOption } from '../../core/wallets/wallet.ts'
import { isOnPhone } from '../device/device.ts'
import { DialogFrame } from '../dialog/DialogFrame.tsx'
import { DialogHeader, LiveStatus, Title, VisuallyHidden } from '../dialog/dialogParts.tsx'
import { moveFocusToList } from '../dialog/focus.ts'
import { useWhileOpen } from '../dialog/PlainDialog.tsx'
import { type Layout, useLayout } from '../dialog/useLayout.ts'
import { useWalletKit, useWalletKitState } from '../hooks/useWalletKit.ts'
import { type Translate, useTranslate } from '../language.ts'
import { ConnectingStepView } from './ConnectingStepView.tsx'
import { connectingTexts, usesRelay } from './connectingTexts.ts'
import { DownloadOptionsStep, DownloadStep } from './DownloadStep.tsx'
import { GetStep } from './GetStep.tsx'
import { InstructionsStep, LearnStep } from './InstructionsStep.tsx'
import { OpenAppStep } from './OpenAppStep.tsx'
import { ScanStep } from './ScanStep.tsx'
import { useNamedWallets } from './useNamedWallets.ts'
import { WalletList } from './WalletList.tsx'

/**
 * Lets the person pick a wallet, and shows the progress of the connection. When wide, the list stays beside the step.
 */
export function ConnectDialog({ open, onExited }: { open: boolean; onExited: () => void }) {
  const layout = useLayout()
  const titleId = useId()
  const statusId = useId()
  const listRef = useRef<HTMLDivElement>(null)
  const isWide = layout === 'wide'
  return (
    <DialogFrame
      open={open}
      onExited={onExited}
      labelledBy={titleId}
      describedBy={statusId}
      width={isWide ? 720 : 368}
      height={isWide ? 504 : 468}
      isSheet={layout === 'phone'}
      onKeyDown={(event) => moveFocusToList(event, listRef.current)}
    >
      <Content open={open} layout={layout} titleId={titleId} statusId={statusId} listRef={listRef} />
    </DialogFrame>
  )
}

type ContentProps = {
  open: boolean
  layout: Layout
  titleId: string
  statusId: string
  listRef: RefObject<HTMLDivElement | null>
}

function Content({ open, layout, titleId, statusId, listRef }: ContentProps) {
  const t = useTranslate()
  const { step, history } = useShownFlow()
  const wallets = useNamedWallets(
    useWhileOpen(
      open,
      useWalletKitState((state) => state.wallets),
    ),
  )
  const selectedId = 'walletId' in step ? step.walletId : undefined
  const wallet = wallets.find(({ id }) => id === selectedId)
  const isWide = layout === 'wide'
  const isList = step.name === 'list'
  const status = statusText(step, wallet, t)
  const list = <WalletList listRef={listRef} wallets={wallets} selectedId={selectedId} layout={layout} />
  return (
    <>
      <LiveStatus id={statusId} description={status}>
        {step.name === 'connecting' || (isWide && !isList) ? status : undefined}
      </LiveStatus>
      {isWide && (
        <section className="wk-side wk-own">
          <Title id={titleId}>{t('connectAWallet')}</Title>
          {list}
        </section>
      )}
      <StepPane step={step} wallet={wallet} history={history} titleId={isWide ? undefined : titleId}>
        {!isWide && isList && list}
      </StepPane>
    </>
  )
}

type StepPaneProps = {
  step: ConnectStep
  wallet: WalletOption | undefined
  history: ConnectFlow['history']
  /** Id of the dialog's name, unless the name stands beside this pane. */
  titleId: string | undefined
  /** The list of wallets, in place of the step. */
  children: ReactNode
}

/** Renders the current step below its title. `memo`, because a newly found wallet must not render it again. */
const StepPane = memo(function StepPane({ step, history, wallet, titleId, children }: StepPaneProps) {
  const { dispatch } = useWalletKit()
  const t = useTranslate()
  const name = t('connectAWallet')
  return (
    <section className="wk-pane wk-own">
      {titleId && !children && <VisuallyHidden id={titleId}>{name}</VisuallyHidden>}
      <DialogHeader
        title={children ? name : stepTitle(step, wallet, t)}
        titleId={children ? titleId : undefined}
        onBack={history.length > 0 ? () => dispatch({ type: 'back' }) : undefined}
      />
      {children || (
        <div className="wk-step-body wk-own" key={step.name}>
          <ConnectStepView step={step} wallet={wallet} />
        </div>
      )}
    </section>
  )
})

const list: ConnectFlow = { step: { name: 'list' }, history: [] }

/**
 * Returns the step to draw and the earlier steps, unchanged while the dialog fades out. Draws a change of the step in a
 * task of its own: the press is handled first, and if the wallet answers at once, its step is not drawn. This takes a
 * sixth off the time between press and address.
 */
function useShownFlow(): ConnectFlow {
  const kit = useWalletKit()
  const [shown, setShown] = useState(kit.getState().dialog)
  useEffect(() => {
    const draw = () => {
      const { dialog } = kit.getState()
      if (dialog.name === 'connect') setShown(dialog)
    }
    draw()
    return kit.subscribe(() => setTimeout(draw))
  }, [kit])
  return shown.name === 'connect' ? shown : list
}

function stepTitle(step: ConnectStep, wallet: WalletOption | undefined, t: Translate): string {
  if (step.name === 'list' || step.name === 'learn') return t('whatIsAWallet')
  if (step.name === 'get') return t('getAWallet')
  const name = wallet?.name ?? ''
  if (step.name !== 'connecting') return t('get', { wallet: name })
  return wallet && usesRelay(step, wallet) && !isOnPhone() ? connectingTexts(step, wallet, t).title : name
}

/** Returns the sentence that screen readers hear for a step. */
function statusText(step: ConnectStep, wallet: WalletOption | undefined, t: Translate): string {
  if (step.name === 'list') return t('chooseWallet')
  if (step.name !== 'connecting' || !wallet) return stepTitle(step, wallet, t)
  const { title, text } = connectingTexts(step, wallet, t)
  return `${title} ${text}`
}

type ConnectStepViewProps = { step: ConnectStep; wallet: WalletOption | undefined }

/** Renders a step of the connect dialog. */
function ConnectStepView({ step, wallet }: ConnectStepViewProps) {
  if (step.name === 'list' || step.name === 'learn') return <LearnStep />
  if (step.name === 'get') return <GetStep />
  // The wallet disappeared from the page while its step was shown.
  if (!wallet) return null
  switch (step.name) {
    case 'connecting':
      if (!usesRelay(step, wallet)) return <ConnectingStepView step={step} wallet={wallet} />
      return isOnPhone() ? <OpenAppStep step={step} wallet={wallet} /> : <ScanStep step={step} wallet={wallet} />
    case 'downloadOptions':
      return <DownloadOptionsStep wallet={wallet} />
    case 'download':
      return <DownloadStep wallet={wallet} />
    default:
      return <InstructionsStep wallet={wallet} kind={step.name} />
  }
}
