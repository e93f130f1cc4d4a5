// @vitest-environment node
import { renderToString } from 'react-dom/server'
import { http } from 'viem'
import { bsc } from 'viem/chains'
import { expect, test } from 'vitest'
import { createWalletKit } from '../../core/createWalletKit.ts'
import { metaMaskWallet } from '../../wallets/table.ts'
import { createWalletKitTheme } from '../theme/createWalletKitTheme.ts'
import { WalletKitProvider } from '../WalletKitProvider.tsx'
import { ConnectButton } from './ConnectButton.tsx'

test('a server renders the disconnected button and touches no window', () => {
  expect(typeof window).toBe('undefined')
  const kit = createWalletKit({
    appName: 'Server',
    chains: [bsc],
    transports: { [bsc.id]: http('https://node.example') },
    wallets: [{ groupName: 'Popular', wallets: [metaMaskWallet] }],
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

const styled = (nonce?: string) =>
  renderToString(
    <WalletKitProvider kit={undefined} nonce={nonce} theme={createWalletKitTheme({ accent: '#123456' })}>
      <ConnectButton />
      <ConnectButton />
    </WalletKitProvider>,
  )

test('a server writes the styles of both schemes once before the page, few, and none for the page’s root', () => {
  const html = styled()
  expect(html).toMatch(/^<style[^>]*data-precedence="wallet-kit"[^>]*>[^<]*<\/style><span/)
  expect(html.match(/<style/g)).toHaveLength(1)
  for (const text of ['--wk-accent:var(--wallet-kit-accent,#45D0AE)', '--wallet-kit-accent:#123456', '&>.wk-button'])
    expect(html.includes(text) || html.includes(text.replace('&>', '& > '))).toBe(true)
  expect(html.match(/<style[^>]*>([^<]*)/)?.[1]?.length).toBeLessThan(14_000)
  expect(html).not.toMatch(/:root|html\b|body\b/)
})

test('with a nonce the styles stand in place and have it', () => {
  const html = styled('abc')
  expect(html).toMatch(/^<span class="wk [^>]*><style class="wk-own" nonce="abc">@layer/)
  expect(html.match(/<style class="wk-own" nonce="abc">/g)).toHaveLength(2)
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
