import { WalletKitProvider } from '@lineage/wallet-kit'
import { createWalletKit } from '@lineage/wallet-kit/core'
import { announceWallet, createScriptedWallet, memoryStorage } from '@lineage/wallet-kit/testing'
import { metaMaskWallet } from '@lineage/wallet-kit/wallets'
import { configure, fireEvent, render, screen } from '@testing-library/react'
import { custom } from 'viem'
import { bsc } from 'viem/chains'
import { Greeting } from './Greeting'

// The dialog loads on demand, which may take longer than Testing Library's second.
configure({ asyncUtilTimeout: 60_000 })

test('greets the account once a wallet is connected', async () => {
  const { provider } = createScriptedWallet()
  announceWallet({ info: { name: 'MetaMask', rdns: 'io.metamask' }, provider })
  const kit = createWalletKit({
    appName: 'Jest',
    chains: [bsc],
    transports: { [bsc.id]: custom({ request: async () => '0x0' }) },
    wallets: [{ groupName: 'Popular', wallets: [metaMaskWallet] }],
    storage: memoryStorage(),
  })
  render(
    <WalletKitProvider kit={kit} locale="en">
      <Greeting />
    </WalletKitProvider>,
  )
  expect(screen.getByRole('status').textContent).toBe('Connect your wallet.')
  fireEvent.click(screen.getByRole('button', { name: 'Connect Wallet' }))
  fireEvent.click(await screen.findByRole('button', { name: 'MetaMask' }))
  expect(await screen.findByText(/^Hello, 0x/)).toBeTruthy()
})
