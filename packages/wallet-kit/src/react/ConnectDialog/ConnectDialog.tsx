import { styled } from '@mui/material/styles'
import { memo, type ReactNode, type RefObject, useDeferredValue, useId, useRef, useState } from 'react'
import type { ConnectFlow, ConnectStep } from '../../core/state/dialog.ts'
import type { WalletOption } from '../../core/wallets/wallet.ts'
import { isOnPhone } from '../device/device.ts'
import { DialogFrame } from '../dialog/DialogFrame.tsx'
import { DialogHeader, Title } from '../dialog/DialogHeader.tsx'
import { LiveStatus } from '../dialog/LiveStatus.tsx'
import { moveFocusToList } from '../dialog/listKeyboard.ts'
import { type Layout, useLayout } from '../dialog/useLayout.ts'
import { useWhileOpen } from '../dialog/useWhileOpen.ts'
import { VisuallyHidden } from '../dialog/VisuallyHidden.ts'
import { useWalletKit } from '../hooks/useWalletKit.ts'
import { useWalletKitState } from '../hooks/useWalletKitState.ts'
import { type Translate, useTranslate } from '../language/useTranslate.ts'
import { ConnectStepView } from './ConnectStepView.tsx'
import { connectingTexts, usesRelay } from './connectingTexts.ts'
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
      <Content layout={layout} titleId={titleId} statusId={statusId} listRef={listRef} />
    </DialogFrame>
  )
}

type ContentProps = { layout: Layout; titleId: string; statusId: string; listRef: RefObject<HTMLDivElement | null> }

function Content({ layout, titleId, statusId, listRef }: ContentProps) {
  const { config } = useWalletKit()
  const t = useTranslate()
  const { step, canGoBack, wallets } = useShownStep()
  const selectedId = 'walletId' in step ? step.walletId : undefined
  const wallet = wallets.find(({ id }) => id === selectedId)
  const isWide = layout === 'wide'
  const isList = !isWide && step.name === 'list'
  const status = statusText(step, wallet, t)
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
      <LiveStatus id={statusId} description={status}>
        {step.name === 'connecting' || (isWide && step.name !== 'list') ? status : undefined}
      </LiveStatus>
      {isWide && (
        <Side>
          <SideTitle id={titleId}>{t('connectAWallet')}</SideTitle>
          {list}
        </Side>
      )}
      <StepPane step={step} wallet={wallet} canGoBack={canGoBack} titleId={isWide ? undefined : titleId}>
        {isList && list}
      </StepPane>
    </>
  )
}

type StepPaneProps = {
  step: ConnectStep
  wallet: WalletOption | undefined
  canGoBack: boolean
  /** Id of the dialog's name, unless the name stands beside this pane. */
  titleId: string | undefined
  /** The list of wallets, in place of the step. */
  children: ReactNode
}

/** Renders the current step below its title. `memo`, see `useShownStep`. */
const StepPane = memo(function StepPane({ step, wallet, canGoBack, titleId, children }: StepPaneProps) {
  const { dispatch } = useWalletKit()
  const t = useTranslate()
  const name = t('connectAWallet')
  return (
    <Pane>
      {titleId && !children && <VisuallyHidden id={titleId}>{name}</VisuallyHidden>}
      <DialogHeader
        title={children ? name : stepTitle(step, wallet, t)}
        titleId={children ? titleId : undefined}
        onBack={canGoBack ? () => dispatch({ type: 'back' }) : undefined}
      />
      {children || (
        <Body key={step.name}>
          <ConnectStepView step={step} wallet={wallet} />
        </Body>
      )}
    </Pane>
  )
})

const list: ConnectFlow = { step: { name: 'list' }, history: [] }

/**
 * Returns the step to draw; it stays unchanged while the dialog fades out. A step is drawn after the press is handled,
 * and the step of a wallet that answers at once is never drawn: a tenth less time from the press to the address. With an
 * effect instead, that step would appear while the dialog fades out.
 */
function useShownStep() {
  const dialog = useWalletKitState((state) => state.dialog)
  const wallets = useWalletKitState((state) => state.wallets)
  const isOpen = dialog.name === 'connect'
  const [last, setLast] = useState(list)
  const shown = useDeferredValue(isOpen ? dialog : last)
  if (shown !== last) setLast(shown)
  const { step, history } = shown
  return { step, canGoBack: history.length > 0, wallets: useWhileOpen(isOpen, wallets) }
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
