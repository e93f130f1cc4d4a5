import { type ReactNode, useEffect, useMemo, useState } from 'react'
import type { WalletKit } from '../../core/WalletKit.ts'
import type { MessageKey } from '../../locales/en.ts'
import { loadMessages, resolveLocale, translate, type Variables } from '../../locales/translate.ts'
import { ConnectButton } from '../ConnectButton/ConnectButton.tsx'
import { createWalletKitTheme, type WalletKitThemeOptions } from '../theme/createWalletKitTheme.ts'
import { WalletKitProvider, type WalletKitProviderProps } from '../WalletKitProvider.tsx'

export type StoryPageProps = {
  /** Creates the kit when the story is shown; it is destroyed with the story. */
  create: () => { kit: WalletKit; destroy: () => void }
  /** Actions that lead to the shown state. */
  act?: (kit: WalletKit) => unknown
  children?: ReactNode
  locale?: string
  colorScheme?: 'light' | 'dark' | 'media'
  /** Other options of the kit's theme. */
  theme?: Omit<WalletKitThemeOptions, 'colorScheme' | 'tokens'>
} & Pick<WalletKitProviderProps, 'avatar' | 'disclaimer' | 'messages'>

/** Renders the page of a story: a connect button, and a kit in the state to show. */
export function StoryPage({
  create,
  act,
  children = <ConnectButton />,
  locale,
  colorScheme = 'media',
  theme: { accent, radius, overlay, fontFamily } = {},
  ...options
}: StoryPageProps) {
  const [kit, setKit] = useState<WalletKit>()
  const theme = useMemo(
    // A cleared control gives an empty text.
    () =>
      createWalletKitTheme({
        colorScheme,
        accent: accent || undefined,
        radius,
        overlay: overlay || undefined,
        fontFamily,
      }),
    [colorScheme, accent, radius, overlay, fontFamily],
  )
  useEffect(() => {
    const { kit, destroy } = create()
    setKit(kit)
    return destroy
  }, [create])
  useEffect(() => {
    if (!kit) return
    let isLeft = false
    // The next story ends a connection that is still under way.
    Promise.resolve(act?.(kit)).catch((error) => isLeft || Promise.reject(error))
    return () => {
      isLeft = true
    }
  }, [kit, act])
  if (!kit) return null
  return (
    <WalletKitProvider kit={kit} theme={theme} locale={locale} {...options}>
      <div style={{ display: 'flex', justifyContent: 'flex-end', minHeight: 44 }}>{children}</div>
    </WalletKitProvider>
  )
}

/** Returns a text in the story's language. */
export async function storyText(globals: { locale?: string }, key: MessageKey, variables?: Variables): Promise<string> {
  const locale = resolveLocale(globals.locale ?? 'en')
  const messages = await loadMessages(locale)
  return translate(messages[key], locale, variables)
}
