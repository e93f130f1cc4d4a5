import { useCallback, useState } from 'react'
import { AccountDialog } from './AccountDialog/AccountDialog.tsx'
import { ConnectDialog } from './ConnectDialog/ConnectDialog.tsx'
import { useKitContext } from './context.ts'
import { NetworkDialog } from './NetworkDialog/NetworkDialog.tsx'
import { SignInDialog } from './SignInDialog/SignInDialog.tsx'
import { useKitState } from './useKitState.ts'
import { useLanguage } from './useLanguage.ts'
import { LanguageContext } from './useTranslate.ts'

/** Whichever dialog is open. One that closes keeps its last look until it has faded out. */
export function Dialogs() {
  const { locale } = useKitContext()
  const dialog = useKitState((state) => state.dialog)
  const language = useLanguage(locale, dialog.name !== 'none')
  const [shown, setShown] = useState(dialog)
  if (dialog.name !== 'none' && dialog !== shown) setShown(dialog)
  const onExited = useCallback(() => setShown({ name: 'none' }), [])
  if (!language) return null

  const frame = { open: dialog.name === shown.name, onExited }
  return (
    <LanguageContext.Provider value={language}>
      {shown.name === 'connect' && <ConnectDialog {...frame} step={shown.step} canGoBack={shown.history.length > 0} />}
      {shown.name === 'account' && <AccountDialog {...frame} />}
      {shown.name === 'signIn' && <SignInDialog {...frame} step={shown.step} />}
      {shown.name === 'network' && <NetworkDialog {...frame} switching={shown.switching} error={shown.error} />}
    </LanguageContext.Provider>
  )
}
