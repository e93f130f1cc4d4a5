import { type Community, parseConfig } from '@lineage/communities'
import type { SourceRow } from '@lineage/database'
import { type Address, type Hex, pad } from 'viem'
import { expect, test } from 'vitest'
import { hashAt } from '../../test/blocks.ts'
import { addressOf, testCommunity } from '../../test/community.ts'
import { createDecoder } from '../decode.ts'
import { NodeError } from '../nodes/nodeError.ts'
import { type AskParameters, askContract } from './askContract.ts'
import type { CurrentReading } from './readings.ts'

const { event, member, referrer, ...rest } = testCommunity()
const candidates = [{ event: 'event Moved(address who)', members: ['who'] }]
const parent = 'function inviter(address) view returns (address)'
const communityThat = (changes: 'once' | 'any') =>
  parseConfig({ communities: [{ ...rest, candidates, parent, changes }] }).communities[0] as Community
const momentAt = (number: number) => ({ number, hash: hashAt(number), time: number, parent: hashAt(number - 1) })

const swept: CurrentReading = {
  ...{
    member: addressOf(1),
    parent: null,
    block: 0,
    blockHash: null,
    time: 0,
    after: 0,
    seen: 10,
    grade: 'exact',
    position: null,
  },
}

type Sweep = Partial<SourceRow> & {
  boundAt: number
  lineAt?: AskParameters['readings']['lineAt']
  above?: CurrentReading[]
  /** For whom the view reverts while the member has no referrer. */
  reverts?: 'no one' | 'the member' | 'everyone'
  /** Error that the nodes return for each call, or for those at the hash of a block. */
  fails?: NodeError
  failing?: 'each call' | 'calls by hash'
}

/** Asks about a member without a referrer until block 10, whose contract returns one from a block on. */
function sweepAt(tip: number, { boundAt, lineAt, above = [], reverts = 'no one', fails, failing, ...row }: Sweep) {
  const community = communityThat(lineAt ? 'any' : 'once')
  const numbers = new Map(Array.from({ length: tip + 1 }, (_, number) => [hashAt(number), number]))
  const nodes = {
    request: async ({ params }: { params: readonly unknown[] }) => {
      const at = params[1] as string | { blockHash: Address }
      if (fails && (failing !== 'calls by hash' || typeof at === 'object')) throw fails
      const number = typeof at === 'string' ? Number(at) : (numbers.get(at.blockHash) ?? 0)
      const isStranger = !(params[0] as { data: Hex }).data.endsWith(swept.member.slice(2))
      if (isStranger ? reverts === 'everyone' : reverts !== 'no one' && number < boundAt)
        throw new NodeError('refused', 'refused', { rpcError: { code: 3, message: 'execution reverted' } })
      return pad(number >= boundAt ? addressOf(2) : '0x', { size: 32 })
    },
    headers: async (list: readonly number[]) => list.map((number) => ({ ...momentAt(number), bloom: '0x' as const })),
  }
  return askContract({
    ...{ source: { community, decoder: createDecoder(community), row: row as SourceRow }, nodes },
    readings: {
      current: async () => [],
      firstIn: async () => [],
      above: async () => above,
      lineAt: lineAt ?? (async () => []),
      positions: async () => [],
      oldest: async () => [swept],
    },
    ...{ logs: [], calls: [], range: { from: tip, to: tip }, moments: new Map(), newest: tip, states: 'archive' },
    sweep: { count: 5, at: momentAt(tip), upTo: tip - 1 },
  } satisfies AskParameters)
}

const misunderstood = { rpcError: { code: -32602, message: 'block is not available' } }

test('behavior: a node that lacks a block, and says so by -32602, takes hashes of blocks', async () => {
  const fails = new NodeError('missing', 'missing', misunderstood)
  expect(await sweepAt(200, { boundAt: 150, fails })).toMatchObject({ rows: [] })
})

test('error: nodes that do not understand the hash of a block are named for it', async () => {
  const fails = new NodeError('refused', 'refused', misunderstood)
  const sweep = sweepAt(200, { boundAt: 150, fails, failing: 'calls by hash' })
  await expect(sweep).rejects.toThrow('EIP-1898')
})

test('error: nodes that refuse the same call without the hash of a block are named for their error', async () => {
  const fails = new NodeError('refused', 'refused', misunderstood)
  const told = 'the nodes refuse calls of the view: JSON-RPC error -32602. Use another node'
  await expect(sweepAt(200, { boundAt: 150, fails })).rejects.toThrow(told)
})

test.each([
  ['in a block that is not final is of its block', { finalized: 100 }, 150, { first: 150, last: 150, grade: 'exact' }],
  [
    'in a final block is of the newest one, within bounds',
    { finalized: 180 },
    150,
    { first: 150, last: 200, grade: 'observed' },
  ],
  [
    'before the source is live is of its block',
    { finalized: 180, state: 'backfill' as const },
    150,
    { first: 150, last: 150, grade: 'exact' },
  ],
])('behavior: a bind %s', async (_, row, boundAt, { first, last, grade }) => {
  const { rows, step } = await sweepAt(200, { state: 'live', ...row, boundAt })
  expect(rows).toMatchObject([
    {
      block: last,
      blockHash: hashAt(last),
      member: addressOf(1),
      other: addressOf(2),
      tx: null,
      asked: { grade, first },
    },
  ])
  // A reorganisation takes back the reading with its row.
  expect(step.changed).toMatchObject([{ block: last, after: first - 1 }])
  // The referrer, which nothing has named, was asked about too.
  expect(step.confirmed).toEqual([2, 1].map((index) => ({ member: addressOf(index), block: 200 })))
  expect(step.named).toEqual([addressOf(2)])
})

test.each([
  ['fails for strangers too: it had none', 'everyone', { first: 150, grade: 'exact' }],
  ['answers for strangers: nothing is known', 'the member', { first: 11, grade: 'observed' }],
] as const)('behavior: before the bind of a member the view fails, and %s', async (_, reverts, asked) => {
  const { rows } = await sweepAt(200, { state: 'backfill', finalized: 180, boundAt: 150, reverts })
  expect(rows).toMatchObject([{ member: addressOf(1), asked }])
})

test('behavior: a member whose contract returns none is asked again later', async () => {
  const { rows, step } = await sweepAt(200, { state: 'live', finalized: 100, boundAt: 300 })
  expect([rows, step.changed, step.confirmed]).toEqual([[], [], [{ member: addressOf(1), block: 200 }]])
})

// Member 2 was below member 1 until it moved silently; only its next move, in block 160, was heard of.
test.each([
  ['in its block', 150],
  ['in a later block', 140],
])(
  'behavior: a silent move that would close a circle %s counts from the block at which it was heard',
  async (_, boundAt) => {
    const line = [{ member: addressOf(2), parent: addressOf(3), block: 160 }].map((part) => ({ ...swept, ...part }))
    const { rows } = await sweepAt(200, {
      ...{ state: 'backfill', finalized: 180, boundAt, above: line },
      lineAt: async (_source, _member, block) => [
        { member: addressOf(2), ...(block < 145 ? { parent: null, next: 145 } : { parent: addressOf(1), next: 160 }) },
      ],
    })
    expect(rows).toMatchObject([{ member: addressOf(1), block: 200, asked: { grade: 'observed', first: boundAt } }])
  },
)

test('behavior: a silent move below a member that moved later stays in its block', async () => {
  const line = [{ member: addressOf(2), parent: addressOf(3), block: 160 }].map((part) => ({ ...swept, ...part }))
  const lineAt = async () => [{ member: addressOf(2), parent: null, next: null }]
  const { rows } = await sweepAt(200, { ...{ state: 'backfill', finalized: 180, boundAt: 150, above: line, lineAt } })
  expect(rows).toMatchObject([{ member: addressOf(1), block: 150, asked: { grade: 'exact' } }])
})
