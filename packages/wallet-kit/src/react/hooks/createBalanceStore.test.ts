import { afterEach, expect, test, vi } from 'vitest'
import { createScriptedKit, type ScriptedKit } from '../../testing/createScriptedKit.ts'
import { metaMaskWallet } from '../../wallets/table.ts'
import { createBalanceStore } from './createBalanceStore.ts'

const other = '0x00000000219ab540356cBB839Cbe05303d7705Fa'
let page: ScriptedKit | undefined
afterEach(() => page?.destroy())

async function createConnected(eth_getBalance: () => unknown) {
  page = createScriptedKit({
    wallets: [{ groupName: 'Popular', wallets: [metaMaskWallet] }],
    installed: { 'io.metamask': {} },
    node: { eth_getBalance, eth_getTransactionReceipt: { status: '0x1', blockNumber: '0x1', logs: [] } },
  })
  await page.kit.connect({ walletId: 'metaMask' })
  const store = createBalanceStore(page.kit)
  return { store, wallet: page.installed['io.metamask'], stop: store.subscribe(() => {}) }
}

test('reads nothing without subscribers', async () => {
  const node = vi.fn(() => '0x1')
  const { store, stop, wallet } = await createConnected(node)
  await expect.poll(() => store.getState()).toEqual({ status: 'ready', value: 1n })
  stop()
  wallet?.setAccounts([other])
  await expect.poll(() => page?.kit.getState().address).toBe(other)
  expect(node).toHaveBeenCalledTimes(1)
})

test('reads again when there are subscribers again, who see the last value meanwhile', async () => {
  let balance = '0x1'
  const { store, stop } = await createConnected(() => balance)
  await expect.poll(() => store.getState()).toEqual({ status: 'ready', value: 1n })
  stop()
  balance = '0x2'
  store.subscribe(() => {})
  expect(store.getState()).toEqual({ status: 'ready', value: 1n })
  await expect.poll(() => store.getState()).toEqual({ status: 'ready', value: 2n })
})

test('drops a late answer for an earlier account', async () => {
  const answers: ((value: string) => void)[] = []
  const { store, wallet } = await createConnected(() => new Promise((resolve) => answers.push(resolve)))
  await expect.poll(() => answers).toHaveLength(1)
  wallet?.setAccounts([other])
  await expect.poll(() => answers).toHaveLength(2)
  answers[1]?.('0x2')
  await expect.poll(() => store.getState()).toEqual({ status: 'ready', value: 2n })
  answers[0]?.('0x1')
  // Wait one turn, in which a store that listens would have taken it.
  await new Promise((resolve) => setTimeout(resolve))
  expect(store.getState()).toEqual({ status: 'ready', value: 2n })
})

test('reads again when a transaction settles, also with ten settled ones stored', async () => {
  let balance = '0x1'
  const { store } = await createConnected(() => balance)
  await expect.poll(() => store.getState()).toEqual({ status: 'ready', value: 1n })
  for (let index = 1; index <= 11; index++) {
    const settled = new Promise<void>((resolve) => page?.kit.onTransactionSettled(() => resolve()))
    balance = `0x${(index + 1).toString(16)}`
    page?.kit.addTransaction({ hash: `0x${index.toString(16).padStart(64, '0')}`, description: 'Pay' })
    await settled
    await expect.poll(() => store.getState()).toEqual({ status: 'ready', value: BigInt(index + 1) })
  }
})

test('behavior: node failed, then answered, then failed again', async () => {
  let answer: () => unknown = () => Promise.reject(new Error('node is away'))
  const node = vi.fn(() => answer())
  const { store } = await createConnected(node)
  await expect.poll(() => store.getState()).toEqual({ status: 'failed' })
  answer = () => '0x3'
  store.refresh()
  await expect.poll(() => store.getState()).toEqual({ status: 'ready', value: 3n })
  answer = () => 'nonsense'
  const asked = node.mock.calls.length
  store.refresh()
  await expect.poll(() => node.mock.calls.length).toBeGreaterThan(asked)
  await expect.poll(() => store.getState()).toEqual({ status: 'stale', value: 3n })
  answer = () => '0x4'
  store.refresh()
  await expect.poll(() => store.getState()).toEqual({ status: 'ready', value: 4n })
})
