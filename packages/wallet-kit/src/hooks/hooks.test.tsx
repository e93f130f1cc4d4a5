import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { cleanup, renderHook, waitFor } from '@testing-library/react'
import type { ReactNode } from 'react'
import {
  type Address,
  createTestClient,
  createWalletClient,
  type EIP1193Provider,
  encodeAbiParameters,
  encodeErrorResult,
  erc20Abi,
  getAddress,
  type Hex,
  http,
  parseAbi,
  parseEther,
  parseGwei,
  publicActions,
  recoverMessageAddress,
  recoverTypedDataAddress,
} from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { bsc as bscOnline, mainnet } from 'viem/chains'
import { afterAll, afterEach, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest'
import { runAnvil } from '../../../../scripts/vitest/runAnvil.ts'
import { createWalletKit } from '../core/createWalletKit.ts'
import type { ConnectorFactory, WalletDefinition, WalletTransaction } from '../core/wallets/wallet.ts'
import { useName } from '../react/hooks/useName.ts'
import { WalletKitProvider } from '../react/WalletKitProvider.tsx'
import { announceWallet } from '../testing/announceWallet.ts'
import { createScriptedWallet, type ScriptedWalletOptions } from '../testing/createScriptedWallet.ts'
import { memoryStorage } from '../testing/memoryStorage.ts'
import { metaMaskWallet } from '../wallets/table.ts'
import { useDisconnect, useSwitchChain } from './connection.ts'
import { useBalance, useReadContract, useTransactionReceipt } from './reading.ts'
import { useCapabilities, useSendCalls, useSendTransaction, useTransactionStatus, useWriteContract } from './sending.ts'
import { useSignMessage, useSignTypedData } from './signing.ts'

// The second account of anvil, with the key that its documentation prints.
const privateKey = '0x59c6995e998f97a5a0044966f0945389dc9e86dae88c7a8412f4603b6b78690d'
const account = privateKeyToAccount(privateKey)
const receiver = '0x00000000000000000000000000000000000ab1e5'
const signature = `0x${'ab'.repeat(65)}` as const

// A new chain has no multicall contract.
const bsc = { ...bscOnline, contracts: {} }

// The node may be slow on a busy machine.

let chain: Awaited<ReturnType<typeof runAnvil>>
let node: ReturnType<typeof createNode>
const createNode = () =>
  createTestClient({ chain: bsc, mode: 'anvil', transport: http(chain.url) }).extend(publicActions)

beforeAll(async () => {
  chain = await runAnvil()
  node = createNode()
})
afterAll(() => chain.stop())
afterEach(cleanup)

function setup({
  wallet: options = {} as ScriptedWalletOptions,
  definition = metaMaskWallet as WalletDefinition,
  storage = memoryStorage(),
  fetchFn = fetch as (url: string, init: RequestInit) => Promise<Response>,
} = {}) {
  const wallet = createScriptedWallet({ privateKey, rpcUrl: chain.url, ...options })
  const provider: EIP1193Provider = wallet.provider
  const uninstall = announceWallet({ info: { name: 'MetaMask', rdns: 'io.metamask' }, provider })
  const kit = createWalletKit({
    appName: 'Test',
    chains: [bsc, mainnet],
    transports: {
      [mainnet.id]: http(chain.url),
      [bsc.id]: http(chain.url, { retryCount: 0, fetchFn: (url, init) => fetchFn(String(url), init ?? {}) }),
    },
    wallets: [{ groupName: 'Popular', wallets: [definition] }],
    storage,
  })
  onTestFinished(() => {
    kit.destroy()
    uninstall()
  })
  const queries = new QueryClient({ defaultOptions: { queries: { retry: false } } })
  const wrapper = ({ children }: { children: ReactNode }) => (
    <QueryClientProvider client={queries}>
      <WalletKitProvider kit={kit}>{children}</WalletKitProvider>
    </QueryClientProvider>
  )
  const render = <T,>(hook: () => T) => renderHook(hook, { wrapper }).result
  return { kit, wallet, render, queries, connect: () => kit.connect({ walletId: 'metaMask' }) }
}

/** Sets code that answers every call with `answer`. @param end The opcode: RETURN, or `fd` for REVERT. */
async function deploy(address: Address, answer: Hex, end = 'f3') {
  const bytes = (answer.length - 2) / 2
  const size = bytes.toString(16).padStart(4, '0')
  // PUSH2 size PUSH1 13 PUSH0 CODECOPY, PUSH2 size PUSH0, the end, STOP
  await node.setCode({ address, bytecode: `0x61${size}600d5f3961${size}5f${end}00${answer.slice(2)}` })
}

test.each<[string, (given: never) => unknown, unknown]>([
  ['useName', useName, receiver],
  ['useBalance', useBalance, receiver],
  ['useCapabilities', useCapabilities, 1],
  ['useTransactionStatus', useTransactionStatus, '0x1'],
  ['useTransactionReceipt', useTransactionReceipt, `0x${'1'.repeat(64)}`],
])('error: %s without an object, as callers without types may write it', (_, useHook, given) => {
  const { render } = setup()
  expect(() => render(() => useHook(given as never))).toThrow(/^Expected \{ /)
})

describe('the connection', () => {
  test('switches the chain: pending until the wallet answers, then its refusal, then done', async () => {
    const { render, connect, wallet, kit } = setup({
      wallet: { knownChains: [1, 56], behaviours: { wallet_switchEthereumChain: 'wait' } },
    })
    await connect()
    const result = render(useSwitchChain)
    result.current.mutate({ chainId: 1 })
    await waitFor(() => expect(result.current.isPending).toBe(true))
    await waitFor(() => expect(wallet.requests.at(-1)?.method).toBe('wallet_switchEthereumChain'))
    wallet.release()
    await waitFor(() => expect(result.current.isSuccess).toBe(true))
    expect(kit.getState().chainId).toBe(1)
    wallet.setBehaviour('wallet_switchEthereumChain', 'reject')
    result.current.mutate({ chainId: 56 })
    await waitFor(() => expect(result.current.error?.name).toBe('UserRejectedError'))
    expect(kit.getState().chainId).toBe(1)
  })

  test('disconnects; without a wallet a switch fails', async () => {
    const { render, connect, kit } = setup()
    await connect()
    const result = render(() => ({ disconnect: useDisconnect(), switchChain: useSwitchChain() }))
    result.current.disconnect.mutate()
    await waitFor(() => expect(result.current.disconnect.isSuccess).toBe(true))
    expect(kit.getState().status).toBe('disconnected')
    result.current.switchChain.mutate({ chainId: 1 })
    await waitFor(() => expect(result.current.switchChain.error?.name).toBe('WalletNotAvailableError'))
  })
})

describe('reading', () => {
  const contract = '0x00000000000000000000000000000000000c0de1'

  test('a contract, without a wallet', async () => {
    await deploy(contract, encodeAbiParameters([{ type: 'uint256' }], [42n]))
    const { render } = setup()
    const result = render(() => useReadContract({ address: contract, abi: erc20Abi, functionName: 'totalSupply' }))
    await waitFor(() => expect(result.current.data).toBe(42n))
  })

  test('arguments with bigints', async () => {
    const { render } = setup()
    const abi = [
      {
        type: 'function',
        name: 'double',
        stateMutability: 'view',
        inputs: [{ type: 'uint256' }],
        outputs: [{ type: 'uint256' }],
      },
    ] as const
    const result = render(() => useReadContract({ address: contract, abi, functionName: 'double', args: [21n] }))
    await waitFor(() => expect(result.current.data).toBe(42n))
  })

  test('a function without arguments, whose `args` is `undefined`', async () => {
    await deploy(contract, encodeAbiParameters([{ type: 'uint256' }], [43n]))
    const { render } = setup()
    const call = { address: contract, abi: erc20Abi, functionName: 'totalSupply', args: undefined } as const
    const result = render(() => useReadContract(call))
    await waitFor(() => expect(result.current.data).toBe(43n))
  })

  test('nothing while the address or an argument is not known, or `enabled` is false', () => {
    const { render } = setup()
    const unknown = undefined as Address | undefined
    const result = render(() => [
      useReadContract({ address: undefined, abi: erc20Abi, functionName: 'totalSupply' }),
      useReadContract({ address: contract, abi: erc20Abi, functionName: 'totalSupply', query: { enabled: false } }),
      useReadContract({ address: contract, abi: erc20Abi, functionName: 'balanceOf', args: unknown && [unknown] }),
      useBalance(),
      useCapabilities(),
      useTransactionReceipt({ hash: undefined }),
    ])
    for (const { fetchStatus, status } of result.current) expect([fetchStatus, status]).toEqual(['idle', 'pending'])
  })

  test('error: read again while the address is not known', async () => {
    const { render } = setup()
    const result = render(() => useReadContract({ address: undefined, abi: erc20Abi, functionName: 'totalSupply' }))
    const other = render(() => useBalance())
    const { error } = await result.current.refetch()
    expect(error?.shortMessage).toBe('Nothing can be read yet: a parameter is missing, or no wallet is connected.')
    expect(other.current.error).toBeNull()
  })

  test('an option of the query that is `undefined` keeps its default', async () => {
    let reads = 0
    const fetchFn = async () => {
      reads += 1
      return new Response('Overloaded', { status: 503 })
    }
    const { wallet, render, connect } = setup({ fetchFn, wallet: { calls: 'supported' } })
    const query = { staleTime: undefined, gcTime: undefined, refetchInterval: undefined, retry: undefined }
    const supply = { address: contract, abi: erc20Abi, functionName: 'totalSupply', query } as const
    const read = render(() => useReadContract(supply))
    await waitFor(() => expect(read.current.error).not.toBeNull())
    expect(reads).toBe(1)

    await connect()
    for (const result of [render(() => useCapabilities({ query })), render(() => useCapabilities({ query }))])
      await waitFor(() => expect(result.current.data).toBeDefined())
    expect(wallet.requests.filter(({ method }) => method === 'wallet_getCapabilities')).toHaveLength(1)
  })

  test('error: a node whose code means something else in a wallet', async () => {
    const error = { code: -32002, message: 'Too many requests' }
    const { render } = setup({ fetchFn: async () => Response.json({ jsonrpc: '2.0', id: 1, error }) })
    const result = render(() => useReadContract({ address: contract, abi: erc20Abi, functionName: 'totalSupply' }))
    await waitFor(() => expect(result.current.error?.name).toBe('WalletKitError'))
    expect(result.current.error?.shortMessage).not.toContain('wallet')
  })

  test('error: no contract there', async () => {
    const { render } = setup()
    const result = render(() => useReadContract({ address: receiver, abi: erc20Abi, functionName: 'totalSupply' }))
    await waitFor(() => expect(result.current.error?.name).toBe('WalletKitError'))
    expect(result.current.error?.shortMessage).toContain('totalSupply')
  })

  test('the balance of the connected account, and of another one', async () => {
    await node.setBalance({ address: receiver, value: parseEther('1234.56789') })
    const { render, connect } = setup()
    const own = render(() => useBalance())
    const other = render(() => useBalance({ address: receiver }))
    await waitFor(() =>
      expect(other.current.data).toMatchObject({ formatted: '1234.56789', displayBalance: '1,234.5 BNB' }),
    )
    expect(own.current.data).toBeUndefined()
    await connect()
    await waitFor(() => expect(own.current.data).toMatchObject({ symbol: 'BNB', decimals: 18 }))
  })

  test('the balance of a token; its symbol is cleaned', async () => {
    const token = '0x00000000000000000000000000000000000c0de2'
    // One answer for balanceOf, decimals and symbol: 32 as a number, and the offset of a text.
    const text = encodeAbiParameters([{ type: 'string' }], ['US\u202eDT'])
    await deploy(token, text)
    const { render } = setup()
    const result = render(() => useBalance({ address: receiver, token }))
    await waitFor(() => expect(result.current.data).toMatchObject({ value: 32n, decimals: 32, symbol: 'USDT' }))
  })

  test('attack: a token that sends the page to another host (CCIP-Read)', async () => {
    const asked = vi.spyOn(globalThis, 'fetch')
    onTestFinished(() => asked.mockRestore())
    const token = '0x00000000000000000000000000000000000c0de3'
    const url = 'https://tracker.example/{data}'
    const lookup = encodeErrorResult({
      abi: parseAbi(['error OffchainLookup(address, string[] urls, bytes callData, bytes4 callback, bytes extraData)']),
      args: [token, [url], '0x', '0x12345678', '0x'],
    })
    await deploy(token, lookup, 'fd')
    const { render } = setup()
    const result = render(() => useBalance({ address: receiver, token }))
    await waitFor(() => expect(result.current.error?.name).toBe('WalletKitError'))
    expect(asked.mock.calls.map(([to]) => String(to)).filter((to) => to.includes('tracker'))).toEqual([])
  })

  test('again when a transaction settles', async () => {
    const { render, connect } = setup()
    await connect()
    await node.setBalance({ address: receiver, value: 0n })
    const balance = render(() => useBalance({ address: receiver }))
    await waitFor(() => expect(balance.current.data?.value).toBe(0n))
    const send = render(() => useSendTransaction())
    await send.current.mutateAsync({ to: receiver, value: 3n, description: 'Pay' })
    await waitFor(() => expect(balance.current.data?.value).toBe(3n))
  })
})

test('behavior: a value whose component is not on the page is read again after a transaction', async () => {
  const { render, connect, queries } = setup()
  await connect()
  await node.setBalance({ address: receiver, value: 0n })
  const readBalance = () => useBalance({ address: receiver, query: { staleTime: Number.POSITIVE_INFINITY } })
  const balance = render(readBalance)
  await waitFor(() => expect(balance.current.data?.value).toBe(0n))
  cleanup()
  const send = render(() => useSendTransaction())
  await send.current.mutateAsync({ to: receiver, value: 3n, description: 'Pay' })
  await waitFor(() => expect(queries.getQueryCache().findAll({ stale: true })).toHaveLength(1))
  const later = render(readBalance)
  await waitFor(() => expect(later.current.data?.value).toBe(3n))
})

describe('asking the wallet', () => {
  test('error: not connected', async () => {
    const { render } = setup()
    const result = render(() => useSendTransaction())
    expect(result.current.status).toBe('idle')
    await expect(result.current.mutateAsync({ to: receiver })).rejects.toMatchObject({
      name: 'WalletNotAvailableError',
    })
    await waitFor(() => expect(result.current.error?.name).toBe('WalletNotAvailableError'))
  })

  test('error: the person rejects the request', async () => {
    const { render, connect } = setup({ wallet: { behaviours: { personal_sign: 'reject' } } })
    await connect()
    const result = render(() => useSignMessage())
    result.current.mutate({ message: 'Hello' })
    await waitFor(() => expect(result.current.error?.name).toBe('UserRejectedError'))
  })

  test.each([
    ['a rejection', { code: -32000, message: 'User rejected' }, { name: 'UserRejectedError' }],
    ['no money', { code: -32000, message: 'insufficient funds' }, { details: 'insufficient funds' }],
    ['invalid parameters', { code: -32602, message: 'bad gas' }, { details: 'bad gas' }],
    ['nothing', null, { details: 'The wallet returned an unknown error.' }],
  ])(
    'error: the wallet refuses a transaction with %s, and lacks the second method of viem',
    async (_, error, expected) => {
      const lacking = { error: { code: 4200, message: 'Not supported' } }
      const { render, connect } = setup({
        wallet: { behaviours: { eth_sendTransaction: { error }, wallet_sendTransaction: lacking } },
      })
      await connect()
      const result = render(useSendTransaction)
      await expect(result.current.mutateAsync({ to: receiver })).rejects.toMatchObject(expected)
    },
  )

  test('sends, follows, and waits for the receipt', async () => {
    const { kit, render, connect } = setup()
    await connect()
    const send = render(() => useSendTransaction())
    const { hash, id } = await send.current.mutateAsync({ to: receiver, value: 1n, description: 'Pay' })
    expect(hash).toBe(id)
    expect(kit.getState().transactions).toMatchObject([{ hash, description: 'Pay' }])
    const receipt = render(() => useTransactionReceipt({ hash }))
    await waitFor(() => expect(receipt.current.data?.status).toBe('success'))
  })

  test('without a description it is not listed', async () => {
    const { kit, render, connect } = setup()
    await connect()
    const send = render(() => useSendTransaction())
    const { id } = await send.current.mutateAsync({ to: receiver })
    expect(kit.getState().transactions).toEqual([])
    expect(render(() => useTransactionStatus({ id })).current).toBeUndefined()
  })

  test('the progress of a transaction by its id, of the account and chain that sent it', async () => {
    const { wallet, render, connect } = setup()
    await connect()
    const send = render(() => useSendTransaction())
    const { id } = await send.current.mutateAsync({ to: receiver, description: 'Pay' })
    await send.current.mutateAsync({ to: receiver, description: 'Pay again' })
    const [payment, nothing] = [
      render(() => useTransactionStatus({ id })),
      render(() => useTransactionStatus({ id: undefined })),
    ]
    await waitFor(() => expect(payment.current).toMatchObject({ hash: id, description: 'Pay', status: 'confirmed' }))
    expect(nothing.current).toBeUndefined()
    wallet.setChain(1)
    await waitFor(() => expect(payment.current).toBeUndefined())
    wallet.setChain(56)
    await waitFor(() => expect(payment.current?.hash).toBe(id))
  })

  test.each([
    ['a signature', signature],
    ['an id', '5f0c-11'],
  ])('behavior: the wallet answers a send with %s: followed, not thrown', async (_, result) => {
    const { kit, render, connect } = setup({ wallet: { behaviours: { eth_sendTransaction: { result } } } })
    await connect()
    const send = render(() => useSendTransaction())
    const sent = await send.current.mutateAsync({ to: receiver, description: 'Pay' })
    expect(sent).toEqual({ hash: undefined, id: result })
    expect(kit.getState().transactions).toMatchObject([{ callsId: result, status: 'pending' }])
  })

  test('behavior: the wallet answers two sends with nothing: both are listed', async () => {
    const { kit, render, connect } = setup({ wallet: { behaviours: { eth_sendTransaction: { result: null } } } })
    await connect()
    const send = render(() => useSendTransaction())
    const first = await send.current.mutateAsync({ to: receiver, description: 'Pay' })
    const second = await send.current.mutateAsync({ to: receiver, description: 'Pay again' })
    expect([first.hash, second.hash]).toEqual([undefined, undefined])
    expect(kit.getState().transactions).toMatchObject([{ callsId: second.id }, { callsId: first.id }])
  })

  test('calls a contract', async () => {
    const { wallet, render, connect } = setup()
    await connect()
    const write = render(() => useWriteContract())
    const call = { address: receiver, abi: erc20Abi, functionName: 'transfer', args: [receiver, 7n] } as const
    const { hash } = await write.current.mutateAsync({ ...call, gas: 100_000n })
    expect(hash).toMatch(/^0x[0-9a-f]{64}$/)
    const sent = wallet.requests.find(({ method }) => method === 'eth_sendTransaction')
    expect(JSON.stringify(sent?.params)).toContain('0xa9059cbb')
  })

  test('error: no address, as callers without types may send: the value would be sent to a new contract', async () => {
    const { wallet, render, connect } = setup()
    await connect()
    const send = render(() => useSendTransaction())
    const write = render(() => useWriteContract())
    const refusal = { name: 'WalletKitError', message: 'Invalid address' }
    await expect(send.current.mutateAsync({ value: 1n } as never)).rejects.toMatchObject(refusal)
    await expect(send.current.mutateAsync(receiver as never)).rejects.toMatchObject(refusal)
    const call = { abi: erc20Abi, functionName: 'transfer', args: [receiver, 1n] }
    await expect(write.current.mutateAsync(call as never)).rejects.toMatchObject(refusal)
    expect(wallet.requests.some(({ method }) => method === 'eth_sendTransaction')).toBe(false)
  })

  test('switches to the wanted chain first', async () => {
    const { kit, wallet, render, connect } = setup({ wallet: { knownChains: [56, 97] } })
    await connect()
    wallet.setChain(97)
    const send = render(() => useSendTransaction())
    await expect(send.current.mutateAsync({ to: receiver })).rejects.toMatchObject({ name: 'ChainError' })
    await send.current.mutateAsync({ to: receiver, chainId: 56 })
    expect(kit.getState().chainId).toBe(56)
  })

  test('error: the wallet leaves the wanted chain again before it is asked', async () => {
    const { kit, wallet, render, connect } = setup({ wallet: { knownChains: [1, 56] } })
    await connect()
    wallet.setChain(1)
    kit.subscribe((state) => {
      if (state.chainId === 56 && !state.switching) wallet.setChain(1)
    })
    const send = render(() => useSendTransaction())
    await expect(send.current.mutateAsync({ to: receiver, chainId: 56 })).rejects.toMatchObject({ name: 'ChainError' })
    expect(wallet.requests.some(({ method }) => method === 'eth_sendTransaction')).toBe(false)
  })

  test('follows a transaction under the account that sent it, if the wallet changes to another one', async () => {
    const { kit, wallet, render, connect } = setup({ wallet: { behaviours: { eth_sendTransaction: 'wait' } } })
    await connect()
    const send = render(() => useSendTransaction())
    const sent = send.current.mutateAsync({ to: receiver, description: 'Pay' })
    await waitFor(() => expect(wallet.requests.at(-1)?.method).toBe('eth_sendTransaction'))
    wallet.setAccounts([receiver])
    await waitFor(() => expect(kit.getState().address).toBe(getAddress(receiver)))
    wallet.release()
    const { hash } = await sent
    expect(kit.getState().transactions).toEqual([])
    wallet.setAccounts([account.address])
    await waitFor(() => expect(kit.getState().transactions).toMatchObject([{ hash, description: 'Pay' }]))
  })

  test('behavior: a Safe that contains the page: no hash, because its own hash is not on the chain', async () => {
    let known: WalletTransaction = { status: 'awaitingOwners' }
    const readTransaction = async () => known
    const connectors = metaMaskWallet.connectors.map(
      (create): ConnectorFactory =>
        (...parameters) => ({
          ...create(...parameters),
          readTransaction,
        }),
    )
    const storage = memoryStorage()
    const { kit, render, connect } = setup({ definition: { ...metaMaskWallet, connectors }, storage })
    await connect()
    const send = render(() => useSendTransaction())
    const { hash, id } = await send.current.mutateAsync({ to: receiver, description: 'Pay' })
    expect([hash, id]).toEqual([undefined, expect.stringMatching(/^0x[0-9a-f]{64}$/)])
    const payment = render(() => useTransactionStatus({ id }))
    await waitFor(() => expect(payment.current).toMatchObject({ hash: id, awaiting: 'owners' }))
    known = { status: 'cancelled' }
    // It is read again after 15 seconds, or when a page is opened.
    kit.destroy()
    const reopened = setup({ definition: { ...metaMaskWallet, connectors }, storage })
    await reopened.connect()
    const later = reopened.render(() => useTransactionStatus({ id }))
    await waitFor(() => expect(later.current).toMatchObject({ status: 'failed', failureReason: 'cancelled' }))
  })

  test('signs a message and typed data', async () => {
    const { render, connect } = setup()
    await connect()
    const message = render(() => useSignMessage())
    const signed = await message.current.mutateAsync({ message: 'Hello' })
    expect(await recoverMessageAddress({ message: 'Hello', signature: signed })).toBe(account.address)
    const typed = render(() => useSignTypedData())
    const data = {
      types: { Vote: [{ name: 'for', type: 'bool' }] },
      primaryType: 'Vote',
      message: { for: true },
    } as const
    const signature = await typed.current.mutateAsync(data)
    expect(await recoverTypedDataAddress({ ...data, signature })).toBe(account.address)
  })

  test.each([undefined, null, 'signed', {}])('error: the wallet answers %o instead of a signature', async (answer) => {
    const behaviours = { personal_sign: { result: answer }, eth_signTypedData_v4: { result: answer } }
    const { render, connect } = setup({ wallet: { behaviours } })
    await connect()
    const refusal = { message: 'The wallet returned no valid signature.' }
    const message = render(useSignMessage)
    await expect(message.current.mutateAsync({ message: 'Hello' })).rejects.toMatchObject(refusal)
    const typed = render(useSignTypedData)
    const vote = {
      types: { Vote: [{ name: 'for', type: 'bool' }] },
      primaryType: 'Vote',
      message: { for: true },
    } as const
    await expect(typed.current.mutateAsync(vote)).rejects.toMatchObject(refusal)
  })

  test('asks for capabilities on the chain of the wallet, also one that the app does not support', async () => {
    const { wallet, render, connect } = setup({ wallet: { calls: 'supported' } })
    await connect()
    wallet.setChain(97)
    const capabilities = render(() => useCapabilities())
    await waitFor(() => expect(capabilities.current.data).toEqual({ atomic: { status: 'unsupported' } }))
    const asked = wallet.requests.findLast(({ method }) => method === 'wallet_getCapabilities')
    expect(asked?.params).toEqual([account.address, ['0x61']])
  })

  test('asks for capabilities again after a transaction, which may have upgraded the account', async () => {
    const { wallet, render, connect } = setup({ wallet: { calls: 'supported' } })
    await connect()
    const capabilities = render(() => useCapabilities())
    await waitFor(() => expect(capabilities.current.data).toEqual({ atomic: { status: 'unsupported' } }))
    wallet.setBehaviour('wallet_getCapabilities', { result: { '0x38': { atomic: { status: 'supported' } } } })
    const send = render(() => useSendTransaction())
    await send.current.mutateAsync({ to: receiver, description: 'Upgrade' })
    await waitFor(() => expect(capabilities.current.data).toEqual({ atomic: { status: 'supported' } }))
  })

  test('sends calls, which the kit follows to their end', async () => {
    const { render, connect } = setup({ wallet: { calls: 'supported' } })
    await connect()
    const capabilities = render(() => useCapabilities())
    await waitFor(() => expect(capabilities.current.data).toEqual({ atomic: { status: 'unsupported' } }))
    const before = await node.getBalance({ address: receiver })
    const calls = render(() => useSendCalls())
    const { method, ids } = await calls.current.mutateAsync({
      calls: [
        { to: receiver, value: 1n },
        { to: receiver, value: 2n },
      ],
      description: 'Pay twice',
    })
    expect(method).toBe('wallet_sendCalls')
    const payment = render(() => useTransactionStatus({ id: ids[0] }))
    await waitFor(() => expect(payment.current).toMatchObject({ status: 'confirmed', callsId: ids[0] }))
    expect(await node.getBalance({ address: receiver })).toBe(before + 3n)
  })
})

describe('waiting for a receipt', () => {
  beforeAll(() => node.setAutomine(false))
  afterAll(() => node.setAutomine(true))

  /** Waits for a transaction that is in no block, until its receipt has been asked for twice. */
  async function waitPending(options: { isFailing?: () => boolean } = {}) {
    let reads = 0
    const { render } = setup({
      fetchFn: async (url, init) => {
        const isReceipt = String(init.body).includes('eth_getTransactionReceipt')
        if (isReceipt && options.isFailing?.()) return new Response('Overloaded', { status: 503 })
        const answer = await fetch(url, init)
        if (isReceipt) reads += 1
        return answer
      },
    })
    const fees = { maxFeePerGas: parseGwei('10'), maxPriorityFeePerGas: parseGwei('2'), gas: 21_000n }
    const nonce = await node.getTransactionCount({ address: account.address })
    const send = (call: { to: Address; value: bigint }, factor = 1n) =>
      createWalletClient({ account, chain: bsc, transport: http(chain.url) }).sendTransaction({
        ...call,
        nonce,
        gas: fees.gas,
        maxFeePerGas: fees.maxFeePerGas * factor,
        maxPriorityFeePerGas: fees.maxPriorityFeePerGas * factor,
      })
    const hash = await send({ to: receiver, value: 1n })
    const receipt = render(() => useTransactionReceipt({ hash }))
    return { hash, receipt, send, readAgain: () => waitFor(() => expect(reads).toBeGreaterThanOrEqual(2)) }
  }

  test.each([
    ['cancelled', { to: account.address, value: 0n }, 'The transaction was cancelled in the wallet.'],
    ['replaced', { to: receiver, value: 2n }, 'The transaction was replaced by another one in the wallet.'],
  ] as const)('error: %s in the wallet', async (_, call, message) => {
    const { receipt, send, readAgain } = await waitPending()
    await readAgain()
    await send(call, 2n)
    await node.mine({ blocks: 1 })
    await waitFor(() => expect(receipt.current.error?.shortMessage).toBe(message))
    expect(receipt.current.data).toBeUndefined()
  })

  test('of the same transaction with a higher fee', async () => {
    const { receipt, send, readAgain } = await waitPending()
    await readAgain()
    const hash = await send({ to: receiver, value: 1n }, 2n)
    await node.mine({ blocks: 1 })
    await waitFor(() => expect(receipt.current.data?.transactionHash).toBe(hash))
  })

  test('although the node fails meanwhile', async () => {
    let failures = 0
    const { hash, receipt } = await waitPending({ isFailing: () => failures < 4 && ++failures > 0 })
    await waitFor(() => expect(failures).toBe(4))
    await node.mine({ blocks: 1 })
    await waitFor(() => expect(receipt.current.data?.transactionHash).toBe(hash))
  })
})
