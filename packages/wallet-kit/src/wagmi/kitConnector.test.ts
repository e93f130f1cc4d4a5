import { custom } from 'viem'
import { bsc } from 'viem/chains'
import { expect, onTestFinished, test } from 'vitest'
import { createConfig } from 'wagmi'
import { createWalletKit } from '../core/createWalletKit.ts'
import { announceWallet } from '../testing/announceWallet.ts'
import { createScriptedWallet } from '../testing/createScriptedWallet.ts'
import { memoryStorage } from '../testing/memoryStorage.ts'
import { kitConnector } from './kitConnector.ts'

test('behavior: listeners of the provider move to each newly connected wallet, and are removed from it', async () => {
  const [a, b] = [createScriptedWallet(), createScriptedWallet()]
  onTestFinished(announceWallet({ info: { name: 'A', rdns: 'a.example' }, provider: a.provider }))
  onTestFinished(announceWallet({ info: { name: 'B', rdns: 'b.example' }, provider: b.provider }))
  const node = custom({ request: async () => null })
  const transports = { [bsc.id]: node }
  const kit = createWalletKit({
    appName: 'Test',
    chains: [bsc],
    transports,
    wallets: 'announced',
    storage: memoryStorage(),
  })
  onTestFinished(() => kit.destroy())
  const config = createConfig({ chains: [bsc], transports, connectors: [kitConnector(kit)] })
  const provider = (await config.connectors[0]?.getProvider()) as typeof a.provider
  const told: string[] = []
  const listener = (chainId: string) => void told.push(chainId)

  provider.on('chainChanged', listener)
  await kit.connect({ walletId: 'a.example' })
  a.setChain(1)
  expect(told).toEqual(['0x1'])

  await kit.connect({ walletId: 'b.example' })
  a.setChain(10)
  b.setChain(2)
  expect(told).toEqual(['0x1', '0x2'])

  provider.removeListener('chainChanged', listener)
  b.setChain(3)
  await kit.disconnect()
  expect(told).toEqual(['0x1', '0x2'])
  await expect(provider.request({ method: 'eth_chainId' })).rejects.toThrow('Connect a wallet first.')
})
