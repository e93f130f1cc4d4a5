import { type DocumentedOperation, fillPath, readContract, requestsOf } from '@lineage/referral-api/testing'
import * as fc from 'fast-check'
import { getAddress } from 'viem'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createDatabase } from '../../test/serve.ts'
import { addressOf, type TestEvent } from '../follow/test/tables.ts'
import { type Asked, startLookups } from './test/startLookups.ts'

const { operations, faultOf } = readContract()
const lookups = operations.filter(({ tags }) => tags[0] === 'lookups')

/** A small community with a placeholder, a chain, a star, and one irregular bind of each kind. */
const events = Array.from({ length: 400 }, (_, index): TestEvent[] => {
  const at = { block: index + 1, timestamp: 1_700_000_000 + index * 7_000 }
  const member = addressOf(index % 17 === 16 ? index - 3 : index + 1)
  const referrer = addressOf(index % 13 === 12 ? index + 1 : index < 60 ? index : index % 40)
  const amount = BigInt(index) ** 12n
  return [
    { ...at, kind: 'bind', logIndex: 0, member, referrer },
    { ...at, kind: 'volume', logIndex: 0, member, amount },
    ...(index % 9 === 8 ? [{ ...at, kind: 'reward' as const, logIndex: 1, member, amount, from: referrer }] : []),
  ]
})

const served = await startLookups(await createDatabase(), 'demo')
afterAll(served.close)
beforeAll(async () => {
  await served.tables.step('demo', { block: 400, time: 1_702_800_000, events: events.flat() })
  await served.reach(400)
})

function expectOfContract(operation: DocumentedOperation, { status, type, text }: Asked): number {
  expect(faultOf(operation, { status, type, text })).toBeUndefined()
  return status
}

const example: Record<string, string> = {
  community: 'demo',
  address: addressOf(1),
  a: addressOf(2),
  b: addressOf(3),
  q: '0xAb',
  from: '100',
  to: '2023-12-01',
  limit: '7',
}
const goodBody = { addresses: [addressOf(1), 'x', addressOf(9_999)] }

test.each(lookups.map((operation) => [operation.operationId, operation] as const))(
  'behavior: a response of %s matches the document',
  async (_, operation) => {
    const required = operation.parameters.filter((parameter) => parameter.in === 'query' && parameter.required)
    const search = new URLSearchParams(required.map(({ name }): [string, string] => [name, example[name] ?? '']))
    const target = `${fillPath(operation.path, example)}?${search}`
    const asked = await served.ask(target, operation.requestBody ? { body: goodBody } : {})
    expect(expectOfContract(operation, asked)).toBe(200)
  },
)

const address = fc.oneof(
  fc.nat(420).map(addressOf),
  fc.nat(420).map((index) => getAddress(addressOf(index))),
)
const time = fc.integer({ min: 1_700_000_000, max: 1_703_000_000 }).map(String)
const day = fc.integer({ min: 10, max: 31 }).map((number) => `2023-12-${number}`)
const moment = fc.oneof(fc.integer({ min: 0, max: 420 }).map(String), day)
const cursor = fc.oneof(
  fc.tuple(fc.nat(500), fc.nat(3)).map(([block, logIndex]) => `${block}-${logIndex}`),
  fc.tuple(fc.nat(500), fc.nat(3)).map(([block, rank]) => `${block}-0-${rank}`),
  fc
    .tuple(
      fc.constantFrom('joined.asc.1', 'joined.asc.all', 'team.desc.1', 'volume.desc.2', 'referrers', 'line.1.2'),
      fc.array(fc.bigInt({ min: 0n, max: 2n ** 256n }), { maxLength: 3 }),
    )
    .map(([query, key]) => Buffer.from([query, ...key].join(':')).toString('base64url')),
)
const requests = requestsOf(
  lookups,
  {
    community: fc.constant('demo'),
    address,
    a: address,
    b: address,
    joinedFrom: fc.oneof(time, day),
    joinedTo: fc.oneof(time, day),
    activeSince: fc.oneof(time, day),
    tz: fc.constantFrom('UTC', 'Asia/Shanghai', 'America/Santiago'),
    asOf: moment,
    from: moment,
    to: moment,
    cursor,
  },
  {
    batch: fc.record(
      { addresses: fc.array(fc.oneof(address, fc.string()), { maxLength: 20 }), tx: fc.boolean() },
      { requiredKeys: ['addresses'] },
    ),
  },
)

test('property: every response to any request matches the document, and is never a 500', async () => {
  const seen = new Set<string>()
  await fc.assert(
    fc.asyncProperty(requests, async ({ operation, target, body }) => {
      const asked = await served.ask(target, body === undefined ? {} : { body: parse(body) })
      seen.add(`${operation.operationId} ${expectOfContract(operation, asked)}`)
    }),
    { numRuns: Number(process.env.API_RUNS ?? 800) },
  )
  // On a busy machine, PostgreSQL may answer late.
  expect(served.logged.filter((line) => !/is ready|^The tables cannot be read; trying again/.test(line))).toEqual([])
  // Some of the requests were valid; chance may leave out a few lookups.
  expect(lookups.filter(({ operationId }) => seen.has(`${operationId} 200`)).length).toBeGreaterThan(lookups.length - 4)
})

/** Returns the value of a JSON body; `null` for any other text, which a server refuses before. */
function parse(body: string): unknown {
  try {
    return JSON.parse(body)
  } catch {
    return null
  }
}
