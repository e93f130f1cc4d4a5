// @vitest-environment node
import { http } from 'viem'
import { bsc } from 'viem/chains'
import { expect, test } from 'vitest'
import { createConfig } from 'wagmi'
import { createWalletKit } from '../core/createWalletKit.ts'
import { isObserved } from '../core/state/observers.ts'
import { defaultWallets } from '../wallets/defaultWallets.ts'
import { kitConnector } from './kitConnector.ts'

test('on a server: a config is created, and the kit not subscribed to', async () => {
  expect(typeof window).toBe('undefined')
  const transports = { [bsc.id]: http() }
  const kit = createWalletKit({ appName: 'Test', chains: [bsc], transports, wallets: defaultWallets() })
  const config = createConfig({ chains: [bsc], transports, connectors: [kitConnector(kit)], ssr: true })
  const [connector] = config.connectors
  expect(connector?.id).toBe('walletKit')
  expect(await connector?.isAuthorized()).toBe(false)
  await expect(connector?.getAccounts()).rejects.toThrow('Connect a wallet first.')
  expect(isObserved(kit)).toBe(false)
  expect(config.state.status).toBe('disconnected')
})
