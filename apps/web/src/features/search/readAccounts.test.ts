import { createClient, createTestClient, http, parseEther } from 'viem'
import { bsc } from 'viem/chains'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Anvil, runAnvil } from '../../../../../scripts/vitest/runAnvil.ts'
import { addressOf } from '../../../test/forest.ts'
import { readAccounts } from './readAccounts.ts'

let chain: Anvil
beforeAll(async () => {
  chain = await runAnvil()
})
afterAll(() => chain?.stop())

const read = (count: number, rpcUrl = chain.url) => {
  const client = createClient({ chain: bsc, transport: http(rpcUrl, { retryCount: 0 }), batch: { multicall: true } })
  return readAccounts(
    client,
    Array.from({ length: count }, (_, index) => addressOf(index)),
  )
}

test('behavior: kinds and balances of addresses, in order', async () => {
  const { setBalance, setCode } = createTestClient({ mode: 'anvil', chain: bsc, transport: http(chain.url) })
  await setBalance({ address: addressOf(1), value: parseEther('200000000') })
  await setBalance({ address: addressOf(2), value: 1n })
  await setCode({ address: addressOf(2), bytecode: '0x00' })
  await setCode({ address: addressOf(3), bytecode: `0xef0100${addressOf(2).slice(2)}` })
  // This code has the length of a delegation designator, but is none.
  await setCode({ address: addressOf(4), bytecode: `0x${'60'.repeat(23)}` })
  expect(await read(5)).toEqual([
    { kind: 'account', balance: 0n },
    { kind: 'account', balance: parseEther('200000000') },
    { kind: 'contract', balance: 1n },
    { kind: 'delegated', balance: 0n },
    { kind: 'contract', balance: 0n },
  ])
})

test('behavior: a hundred addresses at once, and no address', async () => {
  expect(await read(100)).toHaveLength(100)
  expect(await read(0)).toEqual([])
})

test('error: an unreachable node', async () => {
  await expect(read(1, 'http://127.0.0.1:9')).rejects.toThrow()
})
