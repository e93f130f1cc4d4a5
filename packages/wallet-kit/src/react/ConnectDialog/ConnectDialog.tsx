import { type RefObject, useEffect, useId, useMemo, useRef, useState } from 'react'
import { whenIdle } from '../../core/lib/promises.ts'
import { DialogFrame } from '../dialog/DialogFrame.tsx'
import { Description, DialogHeader, Title, VisuallyHidden } from '../dialog/dialogParts.tsx'
import { moveFocusToList } from '../dialog/focus.ts'
import type { DialogProps } from '../dialog/PlainDialog.tsx'
import { type Layout, useLayout } from '../dialog/useLayout.ts'
import { useWalletKit, useWalletKitState } from '../hooks/useWalletKit.ts'
import { useTranslate } from '../language.ts'
import { statusOf, titleOf } from '../parts/Connect.tsx'
import { ConnectRoot, type ConnectState, isConnecting, useConnectState } from '../parts/connectContext.tsx'
import { ConnectingStepView } from './ConnectingStepView.tsx'
import { DownloadStep, GetStep } from './GetStep.tsx'
import { InstructionsStep, LearnStep } from './InstructionsStep.tsx'
import { OpenAppStep } from './OpenAppStep.tsx'
import { ScanStep } from './ScanStep.tsx'
import { WalletList } from './WalletList.tsx'

/**
 * Lets the person pick a wallet, and shows the progress of the connection. When wide, the list stays beside the step.
 */
export function ConnectDialog(props: DialogProps) {
  const layout = useLayout(props.view)
  const titleId = useId()
  const statusId = useId()
  const listRef = useRef<HTMLDivElement>(null)
  const isWide = layout === 'wide'
  // Not rendered again when the dialog opens.
  const content = useMemo(
    () => (
      <ConnectRoot>
        <Content layout={layout} titleId={titleId} statusId={statusId} listRef={listRef} />
      </ConnectRoot>
    ),
    [layout, titleId, statusId],
  )
  return (
    <DialogFrame
      {...props}
      labelledBy={titleId}
      describedBy={statusId}
      width={isWide ? 720 : 368}
      height={isWide ? 504 : 468}
      onKeyDown={(event) => moveFocusToList(event, listRef.current)}
    >
      {content}
    </DialogFrame>
  )
}

type ContentProps = {
  layout: Layout
  titleId: string
  statusId: string
  listRef: RefObject<HTMLDivElement | null>
}

function Content({ layout, titleId, statusId, listRef }: ContentProps) {
  const { dispatch } = useWalletKit()
  const t = useTranslate()
  const state = useConnectState()
  const { step, view, history, copyState } = state
  const { name, attempt }: { name: string; attempt?: number } = step
  const isWide = layout === 'wide'
  const isList = view === 'list'
  const wasLearnShown = useRef(false)
  const status = statusOf(state, t)
  const list = <WalletList listRef={listRef} layout={layout} />
  return (
    <>
      <Description id={statusId}>{status}</Description>
      {isWide && (
        <section className="wk-side wk-own">
          <Title id={titleId}>{t('connectAWallet')}</Title>
          {list}
        </section>
      )}
      <section className="wk-pane wk-own">
        {!isWide && !isList && <VisuallyHidden id={titleId}>{t('connectAWallet')}</VisuallyHidden>}
        <DialogHeader
          title={isWide && isList ? t('whatIsAWallet') : titleOf(state, t)}
          titleId={!isWide && isList ? titleId : undefined}
          onBack={history.length > 0 ? () => dispatch({ type: 'back' }) : undefined}
          attempt={attempt}
          status={name === 'connecting' || (isWide && !isList) ? status : undefined}
          note={view === 'scan' && copyState === 'copied' && t('copied')}
        />
        {!isWide && isList ? (
          list
        ) : (
          <div className="wk-step-body wk-own" key={name} tabIndex={-1}>
            {isList ? <LearnBeside wasShown={wasLearnShown} /> : <ConnectStepView state={state} />}
          </div>
        )}
      </section>
    </>
  )
}

/** Explains wallets beside the list: once its rows are painted, and at once on the way back from another step. */
function LearnBeside({ wasShown }: { wasShown: RefObject<boolean> }) {
  const isOpen = useWalletKitState(isConnecting)
  const [isIdle, setIdle] = useState(wasShown.current)
  useEffect(() => {
    wasShown.current = isIdle
    return isOpen && !isIdle ? whenIdle(() => setIdle(true)) : undefined
  }, [isOpen, isIdle, wasShown])
  return isIdle && <LearnStep />
}

/** Renders a step of the connect dialog. */
function ConnectStepView({ state: { view, wallet } }: { state: ConnectState }) {
  if (view === 'list' || view === 'learn') return <LearnStep />
  if (view === 'get') return <GetStep />
  // The wallet disappeared from the page while its step was shown.
  if (!wallet) return null
  switch (view) {
    case 'connecting':
      return <ConnectingStepView wallet={wallet} />
    case 'scan':
      return <ScanStep wallet={wallet} />
    case 'openApp':
      return <OpenAppStep wallet={wallet} />
    case 'downloadOptions':
    case 'download':
      return <DownloadStep wallet={wallet} />
    default:
      return <InstructionsStep wallet={wallet} kind={view} />
  }
}
