import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Communities, Events, Member, MemberEvents, Metrics, Problem, Status } from '@lineage/referral-api'
import { type AbiEvent, type Address, getAddress, numberToHex, parseAbiItem, toEventSelector, zeroAddress } from 'viem'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { bindPresets, type ConfigInput, rewardPresets } from '../config/index.ts'
import { type Chain, type Emitted, startChain } from './chain.ts'
import { addressOf } from './community.ts'
import { type Database, startDatabases } from './databases.ts'
import { type Indexer, startIndexer } from './indexer.ts'

type BindCase = {
  preset: keyof typeof bindPresets
  order: 'memberFirst' | 'referrerFirst'
  /** The event as declared by deployed contracts. */
  event: string
  topic0: string
}

const cases: BindCase[] = [
  ...both('referralRecorded', 'event ReferralRecorded(address indexed user, address indexed referrer)', 'f61ccbe3'),
  ...both('bind', 'event Bind(address indexed user, address indexed parent)', '3693edbe'),
  ...both('bindInviter', 'event BindInviter(address indexed user, address indexed inviter)', 'aedcbe75'),
  ...both('bindParent', 'event BindParent(address user, address parent)', '760ec234'),
  ...both('bindParentIndexed', 'event BindParent(address indexed user, address indexed parent)', '760ec234'),
  ...both('bindReferrer', 'event BindReferrer(address indexed user, address indexed referrer)', 'fd43abdc'),
  userFirst('bindReferral', 'event BindReferral(address indexed user, address parent)', 'cb282389'),
  userFirst('bindReferralIndexed', 'event BindReferral(address indexed user, address indexed parent)', 'cb282389'),
  ...both('registeredReferer', 'event RegisteredReferer(address referee, address referrer)', 'faf63637'),
  ...both('registeredRefererIndexed', 'event RegisteredReferer(address indexed a, address indexed b)', 'faf63637'),
  userFirst(
    'registration',
    'event Registration(address indexed user, address indexed referrer, uint256 indexed userId, uint256 referrerId)',
    '309bb360',
  ),
  userFirst('upline', 'event Upline(address indexed addr, address indexed upline)', '9f4d150e'),
  userFirst('uplineBonus', 'event Upline(address indexed addr, address indexed upline, uint256 bonus)', 'e6aa6b28'),
  ...both('newReferral', 'event NewReferral(address indexed user, address indexed ref)', '965e581f'),
  userFirst('newReferralTyped', 'event NewReferral(address indexed user, address indexed ref, uint8 typ)', 'e3702df7'),
  userFirst(
    'regLevelEvent',
    'event regLevelEvent(address indexed _user, address indexed _ref, uint256 _time)',
    '788c06d2',
  ),
  ...both('setReferrer', 'event SetReferrer(address indexed user, address indexed referrer)', '137b763d'),
  ...both('referrerSet', 'event ReferrerSet(address indexed user, address indexed referrer)', '5f716528'),
  userFirst('referSaved', 'event ReferSaved(address indexed user, address indexed referrer)', '15079b4e'),
  userFirst('binding', 'event Binding(address indexed user, address indexed inviter)', '17613a17'),
  userFirst('referralBound', 'event ReferralBound(address indexed user, address indexed referrer)', '8ceb585b'),
  userFirst('register', 'event Register(address indexed user, address indexed referrer)', '98ada70a'),
]
const rewardCases = [
  {
    preset: 'referralCommissionRecorded',
    event: 'event ReferralCommissionRecorded(address indexed referrer, uint256 commission)',
    topic0: '91badd4e',
    values: (member: Address, amount: bigint) => [member, amount],
  },
  {
    preset: 'paidReferral',
    event: 'event PaidReferral(address from, address to, uint256 amount, uint256 level)',
    topic0: '3eb64e24',
    values: (member: Address, amount: bigint) => [addressOf(1), member, amount, 3n],
  },
] as const

function userFirst(preset: BindCase['preset'], event: string, topic0: string): BindCase {
  return { preset, order: 'memberFirst', event, topic0 }
}
function both(preset: BindCase['preset'], event: string, topic0: string): BindCase[] {
  return [
    { preset, order: 'memberFirst', event, topic0 },
    { preset, order: 'referrerFirst', event, topic0 },
  ]
}
const [member, referrer, other] = [addressOf(1), addressOf(2), addressOf(3)] as const
const contractOf = (index: number): Address => numberToHex(0xc0de000 + index, { size: 20 })
const idOf = ({ preset, order }: BindCase) => `${preset}-${order}`.toLowerCase()
const eventOf = (text: string) => parseAbiItem(text) as AbiEvent

const bound = 'event Bound(address indexed user, address indexed referrer)'
const unbound = 'event Unbound(address indexed user)'
const special = (id: string, index: number, more: object) => ({
  id,
  name: id,
  chainId: 56 as const,
  address: contractOf(100 + index),
  startBlock: 1,
  event: bound,
  member: 'user',
  referrer: 'referrer',
  ...more,
})
const parentView = 'function getReferrer(address user) view returns (address)'
const specials = {
  rewardsA: special('rewards-a', 0, { rewards: { preset: 'referralCommissionRecorded' } }),
  rewardsB: special('rewards-b', 1, { rewards: { preset: 'paidReferral' } }),
  moving: special('moving', 2, { rebind: 'last', unbind: { event: unbound, member: 'user' } }),
  agreeing: special('agreeing', 3, { parentView }),
  swapped: special('swapped', 4, { parentView, member: 'referrer', referrer: 'user' }),
  differing: special('differing', 5, { parentView }),
  unreadable: special('unreadable', 6, { event: 'event Bound(address user, address referrer)' }),
  deaf: special('deaf', 7, { parentView, member: 'referrer', referrer: 'user' }),
  misspelt: special('misspelt', 8, { event: 'event Bond(address indexed user, address indexed referrer)' }),
  astray: { ...special('astray', 9, {}), address: numberToHex(0xdead_c0de, { size: 20 }) },
  early: special('early', 7, { startBlock: 1_000 }),
  unpaid: special('unpaid', 10, {
    rewards: { event: 'event Paid(address user, uint256 amount)', member: 'user', amount: 'amount' },
  }),
} as const

const config = {
  communities: [
    ...cases.map((one, index) => ({
      id: idOf(one),
      name: one.preset,
      chainId: 56 as const,
      address: contractOf(index),
      startBlock: 1,
      preset: one.preset,
      order: one.order,
    })),
    ...Object.values(specials),
  ],
} as ConfigInput

let folder: string
let chain: Chain
let databases: Awaited<ReturnType<typeof startDatabases>>
let database: Database
let indexer: Indexer

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'lineage-communities-'))
  await writeFile(join(folder, 'config.json'), JSON.stringify(config))
  databases = await startDatabases('PGlite')
  database = await databases.create()
  chain = await startChain()
  for (const [index, { event, order }] of cases.entries()) {
    await chain.place(contractOf(index))
    const item = eventOf(event)
    const more = item.inputs.slice(2).map(() => 7n)
    const values = (who: Address, by: Address) => [...(order === 'memberFirst' ? [who, by] : [by, who]), ...more]
    await chain.emit(contractOf(index), [
      [item, ...values(referrer, zeroAddress)],
      [item, ...values(member, referrer)],
    ])
  }
  for (const { id, address } of Object.values(specials)) if (id !== 'astray') await chain.place(address)
  const bind = eventOf(bound)
  const three: Emitted[] = [
    [bind, referrer, zeroAddress],
    [bind, member, referrer],
    [bind, other, member],
  ]
  const truth = [
    [referrer, zeroAddress],
    [member, referrer],
    [other, member],
  ] as [Address, Address][]
  for (const [index, { event, values }] of rewardCases.entries()) {
    const { address } = index === 0 ? specials.rewardsA : specials.rewardsB
    const item = eventOf(event)
    await chain.emit(address, [...three, [item, ...values(member, 5n)], [item, ...values(member, 2n ** 200n)]])
  }
  await chain.emit(specials.moving.address, [
    ...three,
    [bind, other, referrer],
    [eventOf(unbound), member],
    [eventOf(unbound), addressOf(77)],
    [bind, addressOf(4), referrer],
    [bind, addressOf(4), zeroAddress],
  ])
  for (const key of ['agreeing', 'swapped', 'differing'] as const) {
    await chain.emit(specials[key].address, three)
    await chain.setReferrers(specials[key].address, ...truth)
  }
  await chain.setReferrers(specials.differing.address, [other, referrer])
  await chain.emit(specials.unreadable.address, three)
  await chain.emit(specials.deaf.address, three)
  await chain.emit(specials.misspelt.address, three)
  await chain.emit(specials.unpaid.address, [
    ...three,
    [eventOf('event Paid(address indexed user, uint256 amount)'), member, 5n],
  ])
  await chain.client.setCode({ address: specials.deaf.address, bytecode: '0x5f5ffd' })
  for (let block = 0; block < 35; block++) await chain.client.mine({ blocks: 1 })
  indexer = await startIndexer({ config: join(folder, 'config.json'), url: chain.url, database })
  await indexer.untilReady()
})

afterAll(async () => {
  await indexer?.kill('SIGTERM')
  await chain?.stop()
  await databases?.stop()
  await rm(folder, { recursive: true, force: true })
})

async function get<answer>(path: string): Promise<answer> {
  return (await (await indexer.request(path)).json()) as answer
}
const card = (id: string, address: Address) => get<Member>(`/communities/${id}/members/${address}`)

test('behavior: every preset is tested in each of its orders', () => {
  const all = Object.entries(bindPresets).flatMap(([preset, { orders }]) =>
    orders === 'either' ? [`${preset} memberFirst`, `${preset} referrerFirst`] : [`${preset} memberFirst`],
  )
  expect(cases.map(({ preset, order }) => `${preset} ${order}`).sort()).toEqual(all.sort())
  expect(rewardCases.map(({ preset }) => preset).sort()).toEqual(Object.keys(rewardPresets).sort())
})

describe('presets', () => {
  test.each(cases)('behavior: $preset, $order: $event', async (one) => {
    expect(toEventSelector(eventOf(one.event)).slice(2, 10)).toBe(one.topic0)
    expect(await card(idOf(one), member)).toMatchObject({ referrer: getAddress(referrer), depth: 1 })
    expect(await card(idOf(one), referrer)).toMatchObject({ referrer: null, directs: 1, status: 'member' })
  })

  test.each([
    ['rewards-a', rewardCases[0]],
    ['rewards-b', rewardCases[1]],
  ])('behavior: $1.preset feeds rewards and makes no edge', async (id, { event, topic0 }) => {
    expect(toEventSelector(eventOf(event)).slice(2, 10)).toBe(topic0)
    expect(await card(id, member)).toMatchObject({ rewards: (2n ** 200n + 5n).toString(), directs: 1 })
    const { items } = await get<MemberEvents>(`/communities/${id}/members/${member}/events?kind=reward`)
    const from = id === 'rewards-b' ? getAddress(addressOf(1)) : null
    expect(items).toMatchObject([
      { amount: String(2n ** 200n), from },
      { amount: '5', from },
    ])
  })
})

describe('members that move', () => {
  test('behavior: a later bind moves a member, and one to a sentinel makes it a root', async () => {
    expect(await card('moving', other)).toMatchObject({ referrer: getAddress(referrer) })
    expect(await card('moving', addressOf(4))).toMatchObject({ referrer: null, depth: 0 })
  })

  test('behavior: an unbind event removes the referrer', async () => {
    expect(await card('moving', member)).toMatchObject({ referrer: null, depth: 0, status: 'member' })
  })

  test('behavior: an unbind of an address without a bind adds no member', async () => {
    expect((await indexer.request(`/communities/moving/members/${addressOf(77)}`)).status).toBe(404)
    const { members, roots } = await get<Metrics>('/communities/moving/metrics')
    expect([members, roots]).toEqual([4, 3])
    const { items } = await get<Events>('/communities/moving/events')
    expect(items.find(({ address }) => address === getAddress(addressOf(77)))).toMatchObject({
      referrer: zeroAddress,
      status: 'duplicate',
    })
  })
})

describe('compared with the contract', () => {
  const status = () => get<Status>('/status')
  const warningOf = async (community: string) =>
    (await status()).warnings.filter((warning) => warning.community === community)
  const checkOf = async (community: string) =>
    (await status()).spotChecks.find((check) => check.community === community)

  test('behavior: events and contract agree', async () => {
    expect(await checkOf('agreeing')).toMatchObject({ checked: 3, differing: 0, unreadable: 0, example: null })
    expect(await warningOf('agreeing')).toEqual([])
  })

  test('behavior: the warning names a member whose referrers differ', async () => {
    expect(await checkOf('differing')).toMatchObject({
      differing: 1,
      example: { address: getAddress(other), referrer: getAddress(member), onChain: getAddress(referrer) },
    })
    expect(await warningOf('differing')).toMatchObject([{ kind: 'referrers_differ' }])
    expect(await card('differing', member)).toMatchObject({ directs: 1 })
  })

  test('error: a community whose member and referrer are swapped has a warning and is not served', async () => {
    const [warning] = await warningOf('swapped')
    expect(warning).toMatchObject({ kind: 'arguments_swapped' })
    expect(warning?.message).toContain('member and referrer seem to be swapped')
    expect(await get<Problem>(`/communities/swapped/members/${member}`)).toMatchObject({
      status: 503,
      code: 'indexing',
      detail: warning?.message,
    })
    const { items } = await get<Communities>('/communities')
    expect(items.find(({ id }) => id === 'swapped')).toMatchObject({ status: 'indexing' })
    expect(indexer.output()).toContain('member and referrer seem to be swapped')
  })

  test.each([
    ['unreadable', 'events_unreadable', 'Bound events do not have the configured arguments'],
    ['unpaid', 'events_unreadable', 'Paid events do not have the configured arguments'],
    ['misspelt', 'events_absent', 'has emitted no Bond event since block 1'],
    ['early', 'events_absent', 'startBlock 1000 is above the newest block'],
    ['astray', 'events_absent', 'there is no contract at 0x00000000000000000000000000000000'],
  ])('error: community %s: %s', async (id, kind, words) => {
    expect((await warningOf(id))[0]).toMatchObject({ kind, message: expect.stringContaining(words) })
    expect(indexer.output()).toContain(words)
  })

  test('error: swapped arguments and a view that cannot be read give warnings', async () => {
    expect(await checkOf('deaf')).toMatchObject({ checked: 0, unreadable: 2 })
    expect(await warningOf('deaf')).toMatchObject([
      { kind: 'parent_view_unreadable', message: expect.stringContaining('nothing for 2 of 2 members') },
      { kind: 'order_unconfirmed', message: expect.stringContaining('"referrer" is the member') },
    ])
  })

  test('behavior: a community without a view has a warning that its order is not confirmed', async () => {
    expect(await warningOf('moving')).toMatchObject([{ kind: 'order_unconfirmed' }])
  })
})

test('behavior: the tables hold exactly the edges of every preset', async () => {
  await indexer.kill('SIGTERM')
  const [{ schema } = { schema: '' }] = await database.query<{ schema: string }>(
    `select table_schema as schema from information_schema.tables where table_name = 'bind_event'`,
  )
  const rows = await database.query<{ community: string; member: string; referrer: string }>(
    `select community, member, referrer from "${schema}".bind_event order by community, block, log_index`,
  )
  const ofPresets = rows.filter(({ community }) => cases.some((one) => idOf(one) === community))
  const edges = cases
    .map(idOf)
    .sort()
    .flatMap((community) => [
      { community, member: referrer, referrer: zeroAddress },
      { community, member, referrer },
    ])
  expect(ofPresets).toEqual(edges)
})
