import { createForest } from '@lineage/forest'
import { type DocumentedOperation, fillPath, readContract, requestsOf } from '@lineage/referral-api/testing'
import * as fc from 'fast-check'
import { getAddress, numberToHex } from 'viem'
import { expect, test } from 'vitest'
import { parseConfig } from '../../config/index.ts'
import { createApi } from './createApi.ts'
import type { BindRow } from './tables/createTables.ts'
import type { MemberEventRow } from './tables/readMemberEvents.ts'

const { operations, faultOf } = readContract()
const lookups = operations.filter(
  ({ tags, operationId }) => tags[0] === 'lookups' || ['status', 'health', 'ready'].includes(operationId),
)

/** A small community with a placeholder, a chain, a star, and one irregular bind of each kind. */
const addressOf = (index: number) => numberToHex(index + 0xab_cdef, { size: 20 })
const binds: BindRow[] = Array.from({ length: 400 }, (_, index) => ({
  block: index + 1,
  logIndex: 0,
  timestamp: 1_700_000_000 + index * 7_000,
  tx: numberToHex(index, { size: 32 }),
  member: addressOf(index % 17 === 16 ? index - 3 : index + 1),
  referrer: addressOf(index % 13 === 12 ? index + 1 : index < 60 ? index : index % 40),
}))
const forest = createForest()
for (const [index, bind] of binds.entries()) {
  forest.bind(bind)
  forest.addVolume({ ...bind, amount: BigInt(index) ** 12n })
}
const { communities } = parseConfig({
  communities: [
    {
      id: 'demo',
      name: 'Demo',
      chainId: 56,
      address: '0x000000000000000000000000000000000000beef',
      startBlock: 1,
      event: 'event Bound(address member, address referrer)',
      member: 'member',
      referrer: 'referrer',
      tokens: { volume: { symbol: 'USDT', decimals: 18 } },
    },
  ],
})
const view = {
  asOf: { block: 400, timestamp: 1_702_800_000, finalizedBlock: 370 },
  forests: new Map([['demo', forest]]),
  version: 1,
}
/** Returns the bind of a row, if it concerns a member, and its volume. */
function eventsOf({ referrer, ...bind }: BindRow, member: string): MemberEventRow[] {
  const row = { ...bind, blockHash: bind.tx }
  const isOwn = row.member === member
  if (!isOwn && referrer !== member) return []
  const event: MemberEventRow = {
    ...row,
    rank: 0,
    kind: isOwn ? 'bind' : 'referral',
    referrer,
    amount: null,
    from: null,
  }
  return isOwn ? [{ ...row, rank: 2, kind: 'volume', referrer: null, amount: '7', from: null }, event] : [event]
}
const logged: string[] = []
const api = createApi({
  name: 'lineage_test',
  communities,
  index: {
    view: () => view,
    status: () => ({ state: 'ready', progress: null, asOf: view.asOf, headBlock: 400, note: null }),
  },
  tables: {
    findTxs: async (_, positions) => positions.map(({ block }) => numberToHex(block - 1, { size: 32 })),
    readBinds: async (_, { block, before }, limit) =>
      binds
        .filter((row) => row.block <= block && (!before || row.block < before.block))
        .reverse()
        .slice(0, limit),
    readMemberEvents: async ({ member }, { kinds, block, before }, limit) =>
      [...binds]
        .reverse()
        .flatMap((row) => eventsOf(row, member))
        .filter((row) => kinds.includes(row.kind) && row.block <= block)
        .filter((row) => !before || row.block < before.block || (row.block === before.block && row.rank < before.rank))
        .slice(0, limit),
  },
  log: (message) => logged.push(message),
  watch: { warnings: () => [], spotChecks: () => [], reasons: () => [], withheld: () => undefined },
})

async function expectOfContract(operation: DocumentedOperation, response: Response): Promise<number> {
  const { status, headers } = response
  const answered = { status, type: headers.get('content-type'), text: await response.text() }
  expect(faultOf(operation, answered)).toBeUndefined()
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
const goodBody = JSON.stringify({ addresses: [addressOf(1), 'x', addressOf(9_999)] })
const json = { 'content-type': 'application/json' }

test.each(lookups.map((operation) => [operation.operationId, operation] as const))(
  'behavior: a response of %s matches the document',
  async (_, operation) => {
    const required = operation.parameters.filter((parameter) => parameter.in === 'query' && parameter.required)
    const search = new URLSearchParams(required.map(({ name }): [string, string] => [name, example[name] ?? '']))
    const target = `/v1${fillPath(operation.path, example)}?${search}`
    const response = await api.request(target, {
      method: operation.method,
      ...(operation.requestBody && { headers: json, body: goodBody }),
    })
    const tag = response.headers.get('etag')
    expect(await expectOfContract(operation, response)).toBe(200)
    if (!tag) return
    const again = await api.request(target, { headers: { 'if-none-match': tag } })
    expect(await expectOfContract(operation, again)).toBe(304)
  },
)

const address = fc.oneof(
  fc.nat(420).map(addressOf),
  fc.nat(420).map((index) => getAddress(addressOf(index))),
)
const time = fc.integer({ min: 1_700_000_000, max: 1_703_000_000 }).map(String)
const moment = fc.oneof(
  fc.integer({ min: 0, max: 420 }).map(String),
  fc.integer({ min: 10, max: 31 }).map((day) => `2023-12-${day}`),
)
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
    joinedFrom: time,
    joinedTo: time,
    activeSince: time,
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
const tags = fc.constantFrom(undefined, '*', 'W/"1"', '"', ',')

test('property: every response to any request matches the document, and is never a 500', async () => {
  const seen = new Set<string>()
  await fc.assert(
    fc.asyncProperty(requests, tags, async ({ operation, target, type, body }, tag) => {
      const response = await api.request(`/v1${target}`, {
        method: operation.method,
        headers: { ...(body !== undefined && { 'content-type': type }), ...(tag && { 'if-none-match': tag }) },
        ...(body !== undefined && { body }),
      })
      seen.add(`${operation.operationId} ${await expectOfContract(operation, response)}`)
    }),
    { numRuns: Number(process.env.API_RUNS ?? 1_200) },
  )
  expect(logged).toEqual([])
  // Some of the requests were valid.
  for (const { operationId } of lookups) expect([...seen]).toContain(`${operationId} 200`)
})

test('property: other methods are refused with the allowed ones', async () => {
  const methods = fc.constantFrom('GET', 'HEAD', 'POST', 'PUT', 'DELETE', 'PATCH', 'OPTIONS', 'PROPFIND')
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...lookups), methods, async ({ path, method: own, operationId }, method) => {
      fc.pre(method !== own && !(own === 'GET' && method === 'HEAD'))
      const response = await api.request(`/v1${fillPath(path, example)}`, { method })
      expect([response.status, response.headers.get('allow')], operationId).toEqual([
        405,
        own === 'GET' ? 'GET, HEAD' : own,
      ])
      if (method !== 'HEAD') expect(await response.json()).toMatchObject({ code: 'method_not_allowed', status: 405 })
    }),
    { numRuns: 100 },
  )
})
