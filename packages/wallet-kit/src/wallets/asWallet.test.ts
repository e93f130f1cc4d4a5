// @vitest-environment node
import { custom } from 'viem'
import { bsc } from 'viem/chains'
import { expect, test } from 'vitest'
import { createWalletKit } from '../core/createWalletKit.ts'
import { coinbase, safe, walletConnect } from './table.ts'

test.each([walletConnect, coinbase, safe])('is a definition and, called, a connector', (wallet) => {
  const copy = { ...wallet, id: 'copy', name: 'Copy', connectors: [wallet()] }
  expect(Object.keys(wallet)).toEqual(expect.arrayContaining(['id', 'name', 'iconUrl', 'connectors']))
  const kit = createWalletKit({
    appName: 'Test',
    projectId: 'test',
    chains: [bsc],
    transports: { [bsc.id]: custom({ request: async () => null }) },
    wallets: [{ groupName: 'Popular', wallets: [wallet, copy] }],
  })
  const listed = kit.getState().wallets.map(({ id, name }) => [id, name])
  // The connector for pages inside a Safe is listed only there; the definition also has the relay.
  expect(listed).toEqual(
    wallet.id === 'safe'
      ? [[wallet.id, wallet.name]]
      : [
          [wallet.id, wallet.name],
          ['copy', 'Copy'],
        ],
  )
  kit.destroy()
})
