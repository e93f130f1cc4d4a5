import { useState } from 'react'
import { AccountDialog } from './AccountDialog/AccountDialog.tsx'
import { ConnectDialog } from './ConnectDialog/ConnectDialog.tsx'
import { useReturnFocus } from './dialog/focus.ts'
import { useWalletKitState } from './hooks/useWalletKit.ts'
import { LanguageContext, useLanguage } from './language.ts'
import { NetworkDialog } from './NetworkDialog/NetworkDialog.tsx'
import { SignInDialog } from './SignInDialog/SignInDialog.tsx'
import { useWalletKitContext } from './WalletKitContext.ts'

/** Renders the open dialog. A closed one stays mounted until it has faded out. */
export function Dialogs() {
  const { locale } = useWalletKitContext()
  const name = useWalletKitState((state) => state.dialog.name)
  const language = useLanguage(locale, name !== 'none')
  const [mounted, setMounted] = useState(name)
  if (name !== 'none' && name !== mounted) setMounted(name)
  // Once for all: when one dialog follows another, the element that opened the first counts.
  const returnFocus = useReturnFocus(name !== 'none')
  const onExited = () => {
    returnFocus()
    setMounted('none')
  }
  if (!language) return null

  const frame = { open: name === mounted, onExited }
  return (
    <LanguageContext.Provider value={language}>
      {mounted === 'connect' && <ConnectDialog {...frame} />}
      {mounted === 'account' && <AccountDialog {...frame} />}
      {mounted === 'signIn' && <SignInDialog {...frame} />}
      {mounted === 'network' && <NetworkDialog {...frame} />}
    </LanguageContext.Provider>
  )
}
