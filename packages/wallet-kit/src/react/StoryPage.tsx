import { type ReactNode, useEffect, useMemo, useState } from 'react'
import type { WalletKit } from '../core/createWalletKit.ts'
import { ConnectButton } from './ConnectButton.tsx'
import { createWalletKitTheme } from './createWalletKitTheme.ts'
import { WalletKitProvider } from './WalletKitProvider.tsx'

export type StoryPageProps = {
  /** Made when the story is shown, and taken off the page with it. */
  create: () => { kit: WalletKit; destroy: () => void }
  /** What the person did to come to this state. */
  act?: (kit: WalletKit) => unknown
  children?: ReactNode
  locale?: string
  colorScheme?: 'light' | 'dark' | 'media'
}

/** The page of a story: a bar with a connect button, and what the person did. */
export function StoryPage({
  create,
  act,
  children = <ConnectButton />,
  locale,
  colorScheme = 'media',
}: StoryPageProps) {
  const [kit, setKit] = useState<WalletKit>()
  const theme = useMemo(() => createWalletKitTheme({ colorScheme }), [colorScheme])
  useEffect(() => {
    const { kit, destroy } = create()
    setKit(kit)
    return destroy
  }, [create])
  useEffect(() => {
    if (kit) act?.(kit)
  }, [kit, act])
  if (!kit) return null
  return (
    <WalletKitProvider kit={kit} theme={theme} locale={locale}>
      <div style={{ display: 'flex', justifyContent: 'flex-end', minHeight: 44 }}>{children}</div>
    </WalletKitProvider>
  )
}
