import { useEffect, useState } from 'react'
import { whenIdle } from '../../core/lib/promises.ts'
import { connectWallet, type Locale, type Translation, wrongNetwork } from '../../locales/locales.ts'
import { findCustomText, loadMessages, translate, type Variables } from '../../locales/translate.ts'
import { useWalletKitState } from '../hooks/useWalletKit.ts'
import { useWalletKitContext } from '../WalletKitContext.ts'
import type { ConnectButtonRenderProps } from './useConnectButton.ts'

export type ButtonTexts = {
  /** "Connect Wallet", or "Verify your account" once that text has loaded. */
  connect: string
  wrongNetwork: string
  /** Text with the number of pending transactions; `undefined` if there are none, and until it has loaded. */
  pending: string | undefined
}

/** Returns the button's texts. "Connect Wallet" is available at once in every language; the others load when needed. */
export function useButtonTexts({ account, chain, status }: ConnectButtonRenderProps): ButtonTexts {
  const { locale, messages } = useWalletKitContext()
  const count = useWalletKitState(({ transactions }) => transactions.filter((it) => it.status === 'pending').length)
  const hasPending = account?.hasPendingTransactions === true
  const isSigningIn = status === 'connecting' || status === 'unauthenticated'
  const loaded = useLoadedMessages(locale, chain?.unsupported || hasPending || isSigningIn)

  const find = (key: 'wrongNetwork' | 'verifyAccount' | 'pendingTransactions', variables?: Variables) => {
    const text = findCustomText(messages, locale, key) ?? loaded[key]
    return text && translate(text, locale, variables)
  }
  const connect = translate(findCustomText(messages, locale, 'connectWallet') ?? connectWallet[locale], locale)
  return {
    connect: (status === 'unauthenticated' && find('verifyAccount')) || connect,
    wrongNetwork: find('wrongNetwork') ?? wrongNetwork,
    pending: hasPending ? find('pendingTransactions', { count }) : undefined,
  }
}

/** Loads a language once it is needed; empty until then. A failure keeps the current texts; the dialogs try again. */
function useLoadedMessages(locale: Locale, isNeeded: boolean): Partial<Translation> {
  const [messages, setMessages] = useState<Partial<Translation>>({})
  useEffect(() => {
    if (!isNeeded) return
    let isCurrent = true
    whenIdle(() => {
      if (isCurrent)
        loadMessages(locale).then(
          (loaded) => isCurrent && setMessages(loaded),
          () => {},
        )
    })
    return () => {
      isCurrent = false
    }
  }, [locale, isNeeded])
  return messages
}
