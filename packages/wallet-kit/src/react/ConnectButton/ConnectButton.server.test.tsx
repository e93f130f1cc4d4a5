// @vitest-environment node
import { renderToString } from 'react-dom/server'
import { http } from 'viem'
import { bsc } from 'viem/chains'
import { expect, test } from 'vitest'
import { createWalletKit } from '../../core/createWalletKit.ts'
import { metaMask } from '../../wallets/table.ts'
import { WalletKitProvider } from '../WalletKitProvider.tsx'
import { ConnectButton } from './ConnectButton.tsx'

test('a server renders the disconnected button and touches no window', () => {
  expect(typeof window).toBe('undefined')
  const kit = createWalletKit({
    appName: 'Server',
    chains: [bsc],
    transports: { [bsc.id]: http('https://node.example') },
    wallets: [{ groupName: 'Popular', wallets: [metaMask] }],
  })
  const html = renderToString(
    <WalletKitProvider kit={kit}>
      <ConnectButton />
    </WalletKitProvider>,
  )
  expect(html).toContain('Connect Wallet')
  expect(html).toContain('aria-haspopup="dialog"')
  expect(html).not.toContain('disabled=""')
})

test('without an MUI theme a server writes few variables, and none on the page’s root', () => {
  const html = renderToString(
    <WalletKitProvider kit={undefined}>
      <ConnectButton />
    </WalletKitProvider>,
  )
  const variables = html.match(/--wallet-kit-[\w-]+:[^;}]*;/g) ?? []
  expect(variables.join()).toContain('--wallet-kit-palette-primary-main:#45D0AE')
  expect(variables.join('').length).toBeLessThan(3_000)
  expect(html).not.toMatch(/:root|html\b|body\b/)
})

test('without a kit a server renders the button disabled', () => {
  const html = renderToString(
    <WalletKitProvider kit={undefined}>
      <ConnectButton />
    </WalletKitProvider>,
  )
  expect(html).toContain('Connect Wallet')
  expect(html).toContain('disabled=""')
})
