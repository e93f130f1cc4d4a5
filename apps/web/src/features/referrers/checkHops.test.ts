import { createReferralClient, type Member } from '@lineage/referral-api'
import { createClient, custom, decodeFunctionData, encodeFunctionResult, type Hex, multicall3Abi, pad } from 'viem'
import { bsc } from 'viem/chains'
import { expect, test } from 'vitest'
import { createFakeApi } from '../../../test/fakeApi.ts'
import { addressOf } from '../../../test/forest.ts'
import { checkHops, type Progress } from './checkHops.ts'
import { type ReadLinks, readLine, readUpline } from './query.ts'

/** Creates an upline of 301 rows in the index, and a contract that agrees with it except for the given changes. */
function setup(of: 'upline' | 'line' = 'upline') {
  const fake = createFakeApi()
  const { forest } = fake
  const asked: string[] = []
  const api = createReferralClient({
    baseUrl: 'http://index.test/v1',
    fetch: async (input, init) => {
      asked.push(new URL(String(input)).search)
      return fake.handle(new Request(String(input), init))
    },
  })
  const contract = { state: 'answering' as 'answering' | 'silent', says: new Map<string, Hex | 'nothing'>(), calls: 0 }
  const parentOf = (member: Hex): Hex => {
    const answered = contract.says.get(member)
    if (answered) return answered === 'nothing' ? '0x' : pad(answered)
    return pad(addressOf(forest.rows[forest.find(member) ?? 0]?.referrer ?? 0))
  }
  const client = createClient({
    chain: bsc,
    transport: custom(
      {
        async request({ params: [{ data }] }: { params: [{ data: Hex }] }) {
          contract.calls++
          if (contract.state === 'silent') throw new Error('No node.')
          const { args } = decodeFunctionData({ abi: multicall3Abi, data })
          const [calls] = args as unknown as [{ callData: Hex }[]]
          const result = calls.map(({ callData }) => ({
            success: true,
            returnData: parentOf(addressOf(forest.find(`0x${callData.slice(-40)}`) ?? 0)),
          }))
          return encodeFunctionResult({ abi: multicall3Abi, functionName: 'aggregate3', result })
        },
      },
      { retryCount: 0 },
    ),
  })
  const member: Member = {
    asOf: { block: 1, timestamp: 1, finalizedBlock: 1 },
    ...forest.member(forest.deepest),
  }
  const readLinks: ReadLinks =
    of === 'upline'
      ? readUpline({ api, community: 'demo', member })
      : readLine({ api, community: 'demo', a: member.address, b: addressOf(forest.second + 1) })
  const progress: Progress = { checked: 0, hops: new Map(), differs: [], unreadable: [], answeredBy: 'nodes' }
  const seen: number[] = []
  const run = (signal = new AbortController().signal, onProgress = () => {}) =>
    checkHops({
      readLinks,
      client,
      parent: {
        contract: addressOf(9_999),
        view: 'function referrerOf(address) view returns (address)',
        args: [null],
        output: [0],
      },
      progress,
      onProgress() {
        seen.push(progress.checked)
        onProgress()
      },
      signal,
    })
  /** Returns the address in each row; the member is row 0. */
  const lineOf = (row: number) => {
    let at = forest.deepest
    for (let step = 0; step < row; step++) at = forest.rows[at]?.referrer ?? 0
    return addressOf(at)
  }
  return { fake, asked, contract, member, progress, seen, run, lineOf }
}

test('behavior: checks the whole upline in batches, each hop once, with the differing and unreadable rows', async () => {
  const { run, contract, progress, seen, lineOf, asked } = setup()
  contract.says.set(lineOf(250), addressOf(7))
  contract.says.set(lineOf(3), 'nothing')
  expect(await run()).toBe('done')
  expect(seen).toEqual([200, 301])
  expect(asked).toEqual(['?limit=199', '?skip=199&limit=200'])
  expect(contract.calls).toBe(4)
  expect(progress).toMatchObject({ checked: 301, differs: [250], unreadable: [3] })
  expect(progress.hops.size).toBe(301)
  expect(progress.hops.get(lineOf(250))).toEqual({ kind: 'differs', referrer: addressOf(7) })
  expect(progress.hops.get(lineOf(251))).toEqual({ kind: 'agrees' })
  expect(progress.hops.has(lineOf(301))).toBe(false)
})

test('behavior: stopped, then resumed', async () => {
  const { run, progress, seen, asked } = setup()
  const ended = new AbortController()
  await expect(run(ended.signal, () => ended.abort())).rejects.toBeDefined()
  expect(progress.checked).toBe(200)
  expect(await run()).toBe('done')
  expect(seen).toEqual([200, 301])
  expect(asked.filter((query) => query === '?limit=199')).toHaveLength(1)
  expect(progress.hops.size).toBe(301)
})

test('error: the index fails midway; checked rows stay', async () => {
  const { run, fake, progress } = setup()
  fake.state.brokenOn = 'skip=199'
  await expect(run()).rejects.toMatchObject({ code: 'unavailable' })
  expect([progress.checked, progress.hops.size]).toEqual([200, 200])
  fake.state.brokenOn = undefined
  expect(await run()).toBe('done')
  expect(progress.checked).toBe(301)
})

test('error: stops when the nodes do not respond', async () => {
  const { run, contract, progress } = setup()
  contract.state = 'silent'
  expect(await run()).toBe('silent')
  expect(progress).toMatchObject({ checked: 200, differs: [] })
  expect(progress.unreadable).toHaveLength(200)
  expect(contract.calls).toBe(2)
})

test('behavior: checks both sides of a line between two members, but not the hop above the common one', async () => {
  const { run, progress, contract, lineOf, fake } = setup('line')
  const b = addressOf(fake.forest.second + 1)
  contract.says.set(lineOf(12), addressOf(7))
  contract.says.set(b, addressOf(8))
  expect(await run()).toBe('done')
  // 301 steps up to the root, two down.
  expect(progress).toMatchObject({ checked: 303, differs: [12, 303], unreadable: [], next: undefined })
  expect(progress.hops.has(addressOf(0))).toBe(false)
  expect(progress.hops.get(b)).toEqual({ kind: 'differs', referrer: addressOf(8) })
})
