import { http } from 'viem'
import { bsc } from 'viem/chains'
import { afterEach, expect, test, vi } from 'vitest'
import { createWalletKit } from '../createWalletKit.ts'

afterEach(() => vi.unstubAllEnvs())

const valid = { appName: 'Test', chains: [bsc], transports: { [bsc.id]: http() }, wallets: 'announced' }
const create = (changes: object) => createWalletKit({ ...valid, ...changes } as never)

test.each([
  ['announce', "Property wallets is 'announce'. Did you mean 'announced'?"],
  ['Announced', "Property wallets is 'Announced'. Did you mean 'announced'?"],
  ['metaMask', "Property wallets is 'metaMask'. Give a list of groups, such as defaultWallets(), or 'announced'."],
])('error: wallets is the text %j: says what may stand there', (wallets, message) => {
  expect(() => create({ wallets })).toThrow(message)
})

test.each([
  ['wallets', 'walets'],
  ['chains', 'chain'],
  ['transports', 'transport'],
  ['appName', 'appname'],
])('error: %s is missing because its name is misspelt: says so', (name, misspelt) => {
  const { [name as 'wallets']: value, ...others } = valid
  expect(() => createWalletKit({ ...others, [misspelt]: value } as never)).toThrow(
    expect.objectContaining({
      name: 'ConfigurationError',
      message: `Property ${misspelt} is unknown. Did you mean ${name}?`,
    }),
  )
})

test('error: an option is missing, and no other one resembles it', () => {
  expect(() => create({ wallets: undefined, ssr: true })).toThrow('No wallet list was provided')
  expect(() => create({ chains: undefined, networks: [bsc] })).toThrow('No chains were provided')
  expect(() => createWalletKit(undefined as never)).toThrow('No configuration was provided')
})

test('behavior: in production names the fault in a few words', () => {
  vi.stubEnv('NODE_ENV', 'production')
  expect(() => create({ wallets: 'announce' })).toThrow(/^No wallet list was provided$/)
})

test('behavior: without a bundler, where there is no `process`', () => {
  vi.stubGlobal('process', undefined)
  try {
    expect(() => create({ wallets: 'announce' })).toThrow(/^No wallet list was provided$/)
  } finally {
    vi.unstubAllGlobals()
  }
})
