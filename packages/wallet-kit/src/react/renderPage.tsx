import { cleanup, configure, render } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import type { ReactNode } from 'react'
import { afterEach } from 'vitest'
import type { WalletKit } from '../core/createWalletKit.ts'
import { ConnectButton } from './ConnectButton.tsx'
import { WalletKitProvider, type WalletKitProviderProps } from './WalletKitProvider.tsx'

// The first dialog of a file is loaded, which takes a busy machine its time.
configure({ asyncUtilTimeout: 15_000 })

const onPage: { destroy: () => void }[] = []

afterEach(() => {
  cleanup()
  for (const { destroy } of onPage.splice(0)) destroy()
})

type PageOptions = Omit<WalletKitProviderProps, 'kit'> & { wrap?: (page: ReactNode) => ReactNode }

/** A page of a test: a kit with its connect button, both taken away after the test. */
export function renderPage<Scripted extends { kit: WalletKit; destroy: () => void }>(
  scripted: Scripted,
  { children = <ConnectButton />, wrap = (page) => page, ...props }: PageOptions = {},
) {
  onPage.push(scripted)
  const page = (changed: Partial<WalletKitProviderProps> = {}) =>
    wrap(
      <WalletKitProvider kit={scripted.kit} {...props} {...changed}>
        {children}
      </WalletKitProvider>,
    )
  const view = render(page())
  return {
    ...scripted,
    ...view,
    user: userEvent.setup(),
    update: (changed: Partial<WalletKitProviderProps>) => view.rerender(page(changed)),
  }
}
