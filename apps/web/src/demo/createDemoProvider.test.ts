// @vitest-environment jsdom
// @vitest-environment-options { "url": "http://localhost/" }
import { encodeFunctionData, type Hex, numberToHex, parseAbi, stringToHex, verifyMessage, verifyTypedData } from 'viem'
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { communityBytecode } from '../../../../scripts/demo-chain/contract.ts'
import { demoAccounts } from '../../../../scripts/demo-chain/demoAccounts.ts'
import { createRpc } from '../../../../scripts/demo-chain/rpc.ts'
import { type Anvil, runAnvil } from '../../../../scripts/vitest/runAnvil.ts'
import { createDemoProvider } from './createDemoProvider.ts'
import type { Answer, Ask, Question } from './questionContent.ts'

const privateKeys = demoAccounts.map(({ privateKey }) => privateKey)
const addresses = demoAccounts.map(({ address }) => address)
const [first, second] = addresses as [Hex, Hex]
const approve: Ask = async () => ({ kind: 'approved' })
const reject: Ask = async () => ({ kind: 'rejected' })
let chain: Anvil

beforeAll(async () => {
  chain = await runAnvil()
})
afterAll(() => chain?.stop())
beforeEach(() => localStorage.clear())

const create = (ask: Ask) => createDemoProvider({ privateKeys, rpcUrl: chain.url, ask })

/** Returns an `ask` function and its open questions, which the test answers. */
function openQuestions() {
  const questions: { question: Question; answer: (answer: Answer) => void }[] = []
  const ask: Ask = (question) => new Promise((resolve) => questions.push({ question, answer: resolve }))
  const next = async () => {
    await expect.poll(() => questions.length).toBeGreaterThan(0)
    return questions.shift() as (typeof questions)[number]
  }
  return { questions, ask, next }
}

async function connected(ask: Ask = approve) {
  const { provider, controls } = create(approve)
  await provider.request({ method: 'eth_requestAccounts' })
  return ask === approve ? { provider, controls } : create(ask)
}

test('behavior: eth_requestAccounts gives the chosen account only after approval', async () => {
  const { provider } = create(async () => ({ kind: 'approved', account: second }))
  expect(await provider.request({ method: 'eth_accounts' })).toEqual([])
  expect(await provider.request({ method: 'eth_requestAccounts' })).toEqual([second])
  expect(await provider.request({ method: 'eth_accounts' })).toEqual([second])
})

test('error: a rejected connection is 4001', async () => {
  const { provider } = create(reject)
  await expect(provider.request({ method: 'eth_requestAccounts' })).rejects.toMatchObject({ code: 4001 })
  expect(await provider.request({ method: 'eth_accounts' })).toEqual([])
})

test('error: a second connection while the first is open is -32002', async () => {
  const { ask, next } = openQuestions()
  const { provider } = create(ask)
  const asked = provider.request({ method: 'eth_requestAccounts' })
  await expect(provider.request({ method: 'eth_requestAccounts' })).rejects.toMatchObject({ code: -32002 })
  const open = await next()
  open.answer({ kind: 'approved', account: first })
  expect(await asked).toEqual([first])
})

test('behavior: a reload restores permission, account and chain without asking', async () => {
  const { provider } = create(async () => ({ kind: 'approved', account: second }))
  await provider.request({ method: 'eth_requestAccounts' })
  await provider.request({ method: 'wallet_switchEthereumChain', params: [{ chainId: '0x61' }] })
  const ask = vi.fn(reject)
  const reloaded = create(ask).provider
  expect(await reloaded.request({ method: 'eth_accounts' })).toEqual([second])
  expect(await reloaded.request({ method: 'eth_requestAccounts' })).toEqual([second])
  expect(await reloaded.request({ method: 'eth_chainId' })).toBe('0x61')
  expect(ask).not.toHaveBeenCalled()
})

test.each([
  '{',
  '3',
  '{"account":"0x1"}',
  '{"account":"0x000000000000000000000000000000000000dEaD","permission":"granted"}',
])('behavior: ignores invalid stored content, %s', async (stored) => {
  localStorage.setItem('lineage-demo-wallet', stored)
  expect(await create(reject).provider.request({ method: 'eth_accounts' })).toEqual([])
})

test('behavior: without storage the wallet works until the page closes', async () => {
  const forbidden = vi.spyOn(Storage.prototype, 'setItem').mockImplementation(() => {
    throw new DOMException('The operation is insecure.', 'SecurityError')
  })
  const { provider } = create(approve)
  expect(await provider.request({ method: 'eth_requestAccounts' })).toEqual([first])
  forbidden.mockRestore()
})

test('behavior: requesting permissions again changes the account, revoking removes it', async () => {
  const { ask, next } = openQuestions()
  const { provider } = await connected(ask)
  const heard: unknown[] = []
  provider.on('accountsChanged', (accounts: never) => heard.push(accounts))
  const requested = provider.request({ method: 'wallet_requestPermissions', params: [{ eth_accounts: {} }] })
  ;(await next()).answer({ kind: 'approved', account: second })
  expect(await requested).toMatchObject([{ parentCapability: 'eth_accounts', caveats: [{ value: [second] }] }])
  expect(await provider.request({ method: 'wallet_revokePermissions', params: [{ eth_accounts: {} }] })).toBeNull()
  expect(await provider.request({ method: 'wallet_getPermissions' })).toEqual([])
  expect(heard).toEqual([[second], []])
})

test('behavior: personal_sign shows the text and signs it', async () => {
  const { ask, next } = openQuestions()
  const { provider } = await connected(ask)
  const message = '签名登录 Lineage'
  const signed = provider.request({ method: 'personal_sign', params: [stringToHex(message), first] })
  const { question, answer } = await next()
  expect(question).toMatchObject({ kind: 'signMessage', account: first, message: { text: message, format: 'text' } })
  answer({ kind: 'approved' })
  expect(await verifyMessage({ address: first, message, signature: (await signed) as Hex })).toBe(true)
})

test('behavior: personal_sign shows bytes as bytes, and signed as they are', async () => {
  const { ask, next } = openQuestions()
  const { provider } = await connected(ask)
  const signed = provider.request({ method: 'personal_sign', params: ['0xff00', first] })
  const { question, answer } = await next()
  expect(question).toMatchObject({ message: { text: '0xff00', format: 'bytes' } })
  answer({ kind: 'approved' })
  const signature = (await signed) as Hex
  expect(await verifyMessage({ address: first, message: { raw: '0xff00' }, signature })).toBe(true)
})

test('error: a rejected signature is 4001', async () => {
  const { provider } = await connected(reject)
  const request = provider.request({ method: 'personal_sign', params: ['0x61', first] })
  await expect(request).rejects.toMatchObject({ code: 4001 })
})

test.each([
  ['personal_sign', ['0x61', second]],
  ['eth_sendTransaction', [{ from: second, to: first }]],
  ['eth_signTypedData_v4', [second, { types: {}, primaryType: 'A', message: {} }]],
])('error: %s for an account without permission is 4100, without asking', async (method, params) => {
  const ask = vi.fn(approve)
  const { provider } = await connected(ask)
  await expect(provider.request({ method, params })).rejects.toMatchObject({ code: 4100 })
  expect(ask).not.toHaveBeenCalled()
})

test('behavior: eth_signTypedData_v4 signs JSON text, and refuses another chain', async () => {
  const { provider } = await connected()
  const typed = {
    domain: { name: 'Lineage', chainId: 56n },
    types: {
      EIP712Domain: [
        { name: 'name', type: 'string' },
        { name: 'chainId', type: 'uint256' },
      ],
      Note: [{ name: 'text', type: 'string' }],
    },
    primaryType: 'Note',
    message: { text: 'hello' },
  } as const
  const sign = (data: unknown) => provider.request({ method: 'eth_signTypedData_v4', params: [first, data] })
  const signature = (await sign(JSON.stringify({ ...typed, domain: { name: 'Lineage', chainId: 56 } }))) as Hex
  expect(await verifyTypedData({ ...typed, address: first, signature })).toBe(true)
  await expect(sign({ ...typed, domain: { chainId: 1 } })).rejects.toMatchObject({ code: -32602 })
  await expect(sign('{')).rejects.toMatchObject({ code: -32602 })
  await expect(sign({ ...typed, types: {} })).rejects.toMatchObject({ code: -32602 })
})

test('behavior: eth_sendTransaction sends the transaction that was shown; two at once keep their order', async () => {
  const { ask, next, questions } = openQuestions()
  const { provider } = await connected(ask)
  const before = BigInt((await provider.request({ method: 'eth_getBalance', params: [second, 'latest'] })) as Hex)
  const pay = (value: bigint) =>
    provider.request({
      method: 'eth_sendTransaction',
      params: [{ from: first, to: second, value: numberToHex(value) }],
    })
  const sent = [pay(3n), pay(4n)]
  const one = await next()
  expect(questions).toHaveLength(0)
  expect(one.question).toMatchObject({ kind: 'send', to: second, value: 3n, warning: undefined })
  one.answer({ kind: 'approved' })
  ;(await next()).answer({ kind: 'approved' })
  const hashes = await Promise.all(sent)
  expect(new Set(hashes).size).toBe(2)
  const received = async () =>
    BigInt((await provider.request({ method: 'eth_getBalance', params: [second, 'latest'] })) as Hex) - before
  await expect.poll(received).toBe(7n)
})

test('behavior: eth_sendTransaction decodes a bind, and warns of one that would fail', async () => {
  const rpc = createRpc(chain.url)
  const hash = await rpc('eth_sendTransaction', [{ from: second, data: communityBytecode }])
  const readReceipt = () => rpc('eth_getTransactionReceipt', [hash])
  // Anvil may answer with the hash before it has mined the transaction.
  await expect.poll(readReceipt).not.toBeNull()
  const { contractAddress } = (await readReceipt()) as { contractAddress: Hex }
  const { ask, next } = openQuestions()
  const { provider } = await connected(ask)
  const data = encodeFunctionData({ abi: parseAbi(['function bind(address)']), args: [first] })
  const sent = provider.request({ method: 'eth_sendTransaction', params: [{ from: first, to: contractAddress, data }] })
  const { question, answer } = await next()
  expect(question).toMatchObject({
    call: { name: 'bind', arguments: [first] },
    warning: expect.stringContaining(`SelfReferral(${first})`),
  })
  answer({ kind: 'approved' })
  const failed = await sent
  await expect.poll(() => rpc('eth_getTransactionReceipt', [failed])).toMatchObject({ status: '0x0' })
})

test.each([
  ['no transaction', undefined],
  ['a receiver that is none', { from: first, to: '0x12' }],
  ['a value in decimals', { from: first, to: second, value: '12' }],
  ['data that is not hexadecimal', { from: first, to: second, data: 'bind' }],
  ['another chain', { from: first, to: second, chainId: '0x1' }],
])('error: eth_sendTransaction with %s is -32602', async (_case, transaction) => {
  const { provider } = await connected()
  const request = provider.request({ method: 'eth_sendTransaction', params: [transaction] })
  await expect(request).rejects.toMatchObject({ code: -32602 })
})

test('behavior: switches the chain after approval, notifies listeners, and switches back', async () => {
  const { provider } = create(approve)
  const heard: unknown[] = []
  const listener = (chainId: never) => heard.push(chainId)
  provider.on('chainChanged', listener)
  expect(await provider.request({ method: 'wallet_switchEthereumChain', params: [{ chainId: '0x61' }] })).toBeNull()
  await expect(provider.request({ method: 'eth_blockNumber' })).rejects.toMatchObject({ code: 4901 })
  await provider.request({ method: 'wallet_addEthereumChain', params: [{ chainId: '0x38' }] })
  provider.removeListener('chainChanged', listener)
  await provider.request({ method: 'wallet_switchEthereumChain', params: [{ chainId: '0x61' }] })
  expect(heard).toEqual(['0x61', '0x38'])
})

test('error: a rejected chain is 4001, unknown is 4902, malformed is -32602', async () => {
  const { provider } = create(reject)
  const change = (chainId: unknown) => provider.request({ method: 'wallet_switchEthereumChain', params: [{ chainId }] })
  await expect(change('0x61')).rejects.toMatchObject({ code: 4001 })
  await expect(change('0x1')).rejects.toMatchObject({ code: 4902 })
  await expect(change(97)).rejects.toMatchObject({ code: -32602 })
  expect(await provider.request({ method: 'eth_chainId' })).toBe('0x38')
})

test('behavior: the site receives account and chain changes, before connecting the chain only', async () => {
  const { provider, controls } = create(approve)
  const heard: unknown[] = []
  for (const event of ['accountsChanged', 'chainChanged']) provider.on(event, (value: never) => heard.push(value))
  controls.selectAccount(second)
  controls.selectChain(97)
  expect(heard).toEqual(['0x61'])
  await provider.request({ method: 'eth_requestAccounts' })
  controls.selectAccount(first)
  controls.disconnect()
  expect(heard).toEqual(['0x61', [second], [first], []])
})

test('behavior: a listener that throws does not stop the others', async () => {
  const { provider, controls } = create(approve)
  const reported = vi.fn()
  vi.stubGlobal('reportError', reported)
  const heard = vi.fn()
  provider.on('chainChanged', () => {
    throw new Error('page fault')
  })
  provider.on('chainChanged', heard)
  controls.selectChain(97)
  expect(heard).toHaveBeenCalledWith('0x61')
  expect(reported).toHaveBeenCalledWith(new Error('page fault'))
  vi.unstubAllGlobals()
})

test.each(['eth_unknown', 'constructor', ''])(
  'error: a method that the node does not have (%j) is 4200',
  async (method) => {
    await expect(create(approve).provider.request({ method })).rejects.toMatchObject({ code: 4200 })
  },
)

test('error: the node does not respond', async () => {
  const { provider } = createDemoProvider({ privateKeys, rpcUrl: 'http://127.0.0.1:1', ask: approve })
  await expect(provider.request({ method: 'eth_blockNumber' })).rejects.toThrow('The node did not respond')
})
