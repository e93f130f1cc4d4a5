import { useContext, useEffect, useState } from 'react'
import { createPortal } from 'react-dom'
import { directionOf } from '../locales/translate.ts'
import { AccountDialog } from './AccountDialog/AccountDialog.tsx'
import { ConnectDialog } from './ConnectDialog/ConnectDialog.tsx'
import { useReturnFocus } from './dialog/focus.ts'
import { ErrorBoundary } from './ErrorBoundary.tsx'
import { leaveClosedLayers } from './hooks/useCloseOnBack.ts'
import { useWalletKit, useWalletKitState } from './hooks/useWalletKit.ts'
import { LanguageContext, useLanguage } from './language.ts'
import { NetworkDialog } from './NetworkDialog/NetworkDialog.tsx'
import { SignInDialog } from './SignInDialog/SignInDialog.tsx'
import { useWalletKitContext } from './WalletKitContext.ts'

const dialogs = { connect: ConnectDialog, account: AccountDialog, signIn: SignInDialog, network: NetworkDialog }

/** Renders the open dialog. A closed one stays mounted until it has faded out. */
export function Dialogs() {
  const { locale } = useWalletKitContext()
  const name = useWalletKitState((state) => state.dialog.name)
  const language = useLanguage(locale, name !== 'none')
  const [mounted, setMounted] = useState(name)
  if (name !== 'none' && name !== mounted) setMounted(name)
  // Once for all: when one dialog follows another, the element that opened the first counts.
  const returnFocus = useReturnFocus(name !== 'none')
  useEffect(leaveClosedLayers, [])
  const onExited = () => {
    returnFocus()
    setMounted('none')
  }
  if (!language || mounted === 'none') return null

  const frame = { open: name === mounted, onExited }
  const OpenDialog = dialogs[mounted]
  return (
    <LanguageContext.Provider value={language}>
      <ErrorBoundary key={mounted} fallback={(retry) => <FailedDialog {...frame} onRetry={retry} />}>
        <OpenDialog {...frame} />
      </ErrorBoundary>
    </LanguageContext.Provider>
  )
}

type FailedDialogProps = { open: boolean; onExited: () => void; onRetry: () => void }

/** Says at the bottom of the page that a dialog failed. Depends on no theme and no text of the app: they may be the cause. */
function FailedDialog({ open, onExited, onRetry }: FailedDialogProps) {
  const { closeDialog } = useWalletKit()
  const { locale, messages } = useContext(LanguageContext)
  useEffect(() => {
    if (!open) onExited()
  })
  return createPortal(
    <div role="alert" lang={locale} dir={directionOf(locale)} style={failed}>
      <span>{messages.errorGeneric}</span>
      <button type="button" tabIndex={0} style={{ minHeight: 44 }} onClick={onRetry}>
        {messages.retry}
      </button>
      <button type="button" tabIndex={0} style={{ minHeight: 44 }} onClick={closeDialog}>
        {messages.close}
      </button>
    </div>,
    document.body,
  )
}

const failed = {
  position: 'fixed',
  insetInline: 12,
  bottom: 12,
  zIndex: 1300,
  display: 'flex',
  flexWrap: 'wrap',
  alignItems: 'center',
  gap: 8,
  width: 'fit-content',
  margin: '0 auto',
  padding: 12,
  border: '1px solid',
  borderRadius: 8,
  color: 'CanvasText',
  background: 'Canvas',
} as const
