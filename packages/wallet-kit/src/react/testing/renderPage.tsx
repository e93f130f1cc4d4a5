import { cleanup, render } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import type { ReactNode } from 'react'
import { onTestFinished } from 'vitest'
import type { WalletKit } from '../../core/WalletKit.ts'
import { ConnectButton } from '../ConnectButton/ConnectButton.tsx'
import { WalletKitProvider, type WalletKitProviderProps } from '../WalletKitProvider.tsx'

type PageOptions = Partial<WalletKitProviderProps> & { wrap?: (page: ReactNode) => ReactNode }

/** Renders a page with a kit and its connect button; both are removed after the test. */
export function renderPage<Scripted extends { kit: WalletKit; destroy: () => void }>(
  scripted: Scripted,
  { children = <ConnectButton />, wrap = (page) => page, ...props }: PageOptions = {},
) {
  onTestFinished(() => {
    cleanup()
    scripted.destroy()
  })
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

/** Returns what the live region of the open dialog says. */
export const announced = () => document.querySelector('dialog [aria-live="polite"]')?.textContent
