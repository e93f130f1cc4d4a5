import { parseConfig } from '@lineage/communities'
import { type Address, keccak256, numberToHex } from 'viem'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Chain, contract, startChain } from '../../test/chain.ts'
import { createNodes } from '../nodes/createNodes.ts'
import { inspectContract } from './inspectContract.ts'

/** Returns a made-up address that looks like one, unlike a small number. */
const addressOf = (index: number): Address => `0x${keccak256(numberToHex(index)).slice(26)}`

let chain: Chain

beforeAll(async () => {
  chain = await startChain()
})
afterAll(() => chain?.stop())

const inspect = () => inspectContract({ address: contract, nodes: createNodes({ urls: [chain.url] }) })

test('behavior: an address without a contract has no configuration, and is asked about', async () => {
  const nodes = createNodes({ urls: [chain.url] })
  const { community, findings, doubts } = await inspectContract({ address: addressOf(1), nodes })
  expect(community).toBeNull()
  expect(findings).toEqual([expect.objectContaining({ about: 'code', level: 'missing' })])
  expect(doubts).toHaveLength(1)
})

test('behavior: an event without a known name is the bind that a known view confirms', async () => {
  const pairs = Array.from(
    { length: 12 },
    (_, index) => [addressOf(index + 2), addressOf(Math.ceil((index + 2) / 2))] as const,
  )
  for (const [member, referrer] of pairs) await chain.bind([member, referrer])
  await chain.setReferrers(
    contract,
    ...pairs.map(([member, referrer]): [typeof member, typeof referrer] => [member, referrer]),
  )
  const { community, findings } = await inspect()
  expect(community).toMatchObject({ member: 'value1', referrer: 'value2' })
  expect(findings).toContainEqual(
    expect.objectContaining({ about: 'order', level: 'found', evidence: '12 of 12 members confirm _inviter' }),
  )
  expect(() => parseConfig({ communities: [community] })).not.toThrow()
})
