import { custom } from 'viem'
import { bsc, mainnet } from 'viem/chains'
import { expect, test } from 'vitest'
import { type Connector, createConfig } from 'wagmi'
import type { ScriptedWallet, ScriptedWalletOptions } from '../testing/createScriptedWallet.ts'
import { setupKit } from '../testing/setupKit.ts'
import { kitConnector } from './kitConnector.ts'

async function setup({ b: optionsOfB = {} as ScriptedWalletOptions } = {}) {
  const { kit, a, b } = setupKit({ b: optionsOfB })
  const node = custom({ request: async () => null })
  const transports = { [bsc.id]: node, [mainnet.id]: node }
  const config = createConfig({
    chains: [bsc, mainnet],
    transports,
    connectors: [kitConnector(kit)],
    multiInjectedProviderDiscovery: false,
  })
  const connector = config.connectors[0] as Connector
  return { kit, a, b, connector, provider: (await connector.getProvider()) as typeof a.provider }
}

const asksToSwitch = ({ requests }: ScriptedWallet) =>
  expect.poll(() => requests.at(-1)?.method).toBe('wallet_switchEthereumChain')

test('behavior: listeners of the provider move to each newly connected wallet, and are removed from it', async () => {
  const { kit, a, b, provider } = await setup()
  const received: string[] = []
  const listener = (chainId: string) => void received.push(chainId)

  provider.on('chainChanged', listener)
  await kit.connect({ walletId: 'a' })
  a.setChain(1)
  expect(received).toEqual(['0x1'])

  await kit.connect({ walletId: 'b' })
  a.setChain(10)
  b.setChain(2)
  expect(received).toEqual(['0x1', '0x2'])

  provider.removeListener('chainChanged', listener)
  b.setChain(3)
  await kit.disconnect()
  expect(received).toEqual(['0x1', '0x2'])
  await expect(provider.request({ method: 'eth_chainId' })).rejects.toThrow('Connect a wallet first.')
})

test('behavior: a wallet without the second method of viem says so with the code that viem knows', async () => {
  const lacking = { error: { code: 4200, message: 'Not supported' } }
  const { kit, provider } = await setup({ b: { behaviours: { wallet_sendTransaction: lacking } } })
  await kit.connect({ walletId: 'b' })
  const request = { method: 'wallet_sendTransaction', params: [{}] } as never
  await expect(provider.request(request)).rejects.toMatchObject({ code: -32601 })
})

test('behavior: listeners are called once, and not after their removal, by a wallet that removes none', async () => {
  const { kit, b, provider } = await setup({ b: { listeners: 'noRemoveListener' } })
  const received: string[] = []
  const listener = (chainId: string) => void received.push(chainId)
  await kit.connect({ walletId: 'b' })
  provider.on('chainChanged', listener)
  provider.on('message', () => {})
  b.setChain(2)
  expect(received).toEqual(['0x2'])

  await kit.connect({ walletId: 'a' })
  b.setChain(3)
  await kit.connect({ walletId: 'b' })
  b.setChain(4)
  expect(received).toEqual(['0x2', '0x4'])

  provider.removeListener('chainChanged', listener)
  b.setChain(5)
  expect(received).toEqual(['0x2', '0x4'])
})

test('connect: a wallet that does not switch is connected on its own chain, as in the kit', async () => {
  const { kit, a, connector } = await setup()
  a.setBehaviour('wallet_switchEthereumChain', 'reject')
  const { address } = await kit.connect({ walletId: 'a' })
  await expect(connector.connect({ chainId: 1 })).resolves.toEqual({ accounts: [address], chainId: 56 })
  await asksToSwitch(a)
})

test('error: connect: the wallet is locked while it asks to switch', async () => {
  const { kit, a, connector } = await setup()
  a.setBehaviour('wallet_switchEthereumChain', 'wait')
  await kit.connect({ walletId: 'a' })
  const connected = expect(connector.connect({ chainId: 1 })).rejects.toThrow('Connect a wallet first.')
  await asksToSwitch(a)
  a.lock()
  await connected
})
