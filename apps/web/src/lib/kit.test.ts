import type { Config } from '@lineage/referral-api'
import { expect, onTestFinished, test } from 'vitest'
import { createKit } from './kit.ts'

const config: Config = { chainId: 56, rpcUrls: ['/v1/rpc'], relayProjectId: null, relayUrl: null, demo: null }

function setup(change: Partial<Config>) {
  const kit = createKit({ ...config, ...change }, 'https://app.example')
  onTestFinished(() => kit.destroy())
  return kit
}

test('default: no relay, and wallets that need it are unsupported', () => {
  const { config, getState } = setup({})
  expect(config).not.toHaveProperty('projectId')
  expect(config).not.toHaveProperty('relayUrl')
  expect(getState().wallets.find(({ id }) => id === 'walletConnect')?.ready).toBe(false)
})

test('behavior: the project and the relay of the operator', () => {
  const { config, getState } = setup({ relayProjectId: 'abc', relayUrl: 'wss://relay.example' })
  expect(config).toMatchObject({ projectId: 'abc', relayUrl: 'wss://relay.example' })
  expect(getState().wallets.find(({ id }) => id === 'walletConnect')?.ready).toBe(true)
})
