import type { Config } from '@lineage/referral-api'
import { expect, onTestFinished, test } from 'vitest'
import { createKit } from './kit.ts'

const config: Config = {
  chainId: 56,
  rpcUrls: ['/v1/rpc'],
  relayProjectId: null,
  relayUrl: null,
  names: { service: false, bnb: false },
  demo: null,
}

async function setup(change: Partial<Config>) {
  const kit = await createKit({ ...config, ...change }, 'https://app.example')
  onTestFinished(() => kit.destroy())
  return kit
}

test('default: no relay, and wallets that need it are unsupported', async () => {
  const { config, getState } = await setup({})
  expect(config).not.toHaveProperty('projectId')
  expect(config).not.toHaveProperty('relayUrl')
  expect(getState().wallets.find(({ id }) => id === 'walletConnect')?.ready).toBe(false)
})

test('behavior: the configured project id and relay', async () => {
  const { config, getState } = await setup({ relayProjectId: 'abc', relayUrl: 'wss://relay.example' })
  expect(config).toMatchObject({ projectId: 'abc', relayUrl: 'wss://relay.example' })
  expect(getState().wallets.find(({ id }) => id === 'walletConnect')?.ready).toBe(true)
})

test('behavior: several nodes form a fallback transport', async () => {
  const { getClient } = await setup({ rpcUrls: ['/v1/rpc', 'https://node.example'] })
  expect(getClient().transport).toMatchObject({
    type: 'fallback',
    transports: [{ value: { url: 'https://app.example/v1/rpc' } }, { value: { url: 'https://node.example/' } }],
  })
})

test('behavior: one node needs no fallback', async () => {
  const { getClient } = await setup({})
  expect(getClient().transport).toMatchObject({ type: 'http', url: 'https://app.example/v1/rpc' })
})

test('default: no names', async () => {
  const { config } = await setup({})
  expect(config).not.toHaveProperty('names')
})

test.each([
  [
    { service: true, bnb: true },
    { baseUrl: 'https://app.example', bnb: true },
  ],
  [
    { service: true, bnb: false },
    { baseUrl: 'https://app.example', bnb: false },
  ],
  [{ service: false, bnb: true }, { bnb: true }],
])('behavior: names from %o', async (names, expected) => {
  const { config } = await setup({ names })
  expect(config.names).toEqual(expected)
})
