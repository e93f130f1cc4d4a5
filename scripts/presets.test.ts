import { bindPresets, rewardPresets } from '@lineage/communities'
import type { Member, MemberEvents } from '@lineage/referral-api'
import { type AbiEvent, type Address, getAddress, numberToHex, parseAbiItem, toEventSelector, zeroAddress } from 'viem'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Emitted } from '../apps/reader/test/chain.ts'
import { addressOf, testCommunity } from '../apps/reader/test/community.ts'
import { poll } from '../apps/reader/test/reader.ts'
import { startWorld, type World } from '../apps/reader/test/world.ts'
import { type Server, startServer } from './lib/startServer.ts'

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
  {
    preset: 'newReferralLevel',
    order: 'referrerFirst',
    event: 'event NewReferral(address indexed user, address indexed ref, uint8 indexed level)',
    topic0: 'e3702df7',
  },
  {
    preset: 'refBonus',
    order: 'referrerFirst',
    event: 'event RefBonus(address indexed referrer, address indexed referral, uint256 indexed level, uint256 amount)',
    topic0: 'd41f7e76',
  },
  userFirst(
    'registrationUnindexed',
    'event Registration(address user, address referrer, uint256 userId, uint256 referrerId)',
    '309bb360',
  ),
  ...both(
    'bindSuccessful',
    'event bindSuccessful(address indexed sender, address indexed receiver, uint256 blockNumber)',
    'a8c50a29',
  ),
  userFirst('bindingParents', 'event BindingParents(address indexed user, address inviter)', 'e2818dda'),
  ...both('referral', 'event Referral(address indexed user, address indexed ref)', '9d05414f'),
  userFirst('registerUnindexed', 'event Register(address user, address referrer)', '98ada70a'),
  userFirst('registered', 'event Registered(address indexed user, address indexed referrer)', '0a31ee9d'),
  userFirst(
    'regLevelEvent',
    'event regLevelEvent(address indexed _user, address indexed _ref, uint256 _time)',
    '788c06d2',
  ),
  ...both('setReferrer', 'event SetReferrer(address indexed user, address indexed referrer)', '137b763d'),
  ...both('referrerSet', 'event ReferrerSet(address indexed user, address indexed referrer)', '5f716528'),
  userFirst('referSaved', 'event ReferSaved(address referral, address referrer)', '15079b4e'),
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

const [member, referrer] = [addressOf(1), addressOf(2)] as const
const contractOf = (index: number): Address => numberToHex(0xc0de000 + index, { size: 20 })
const idOf = ({ preset, order }: BindCase) => `${preset}-${order}`.toLowerCase()
const eventOf = (text: string) => parseAbiItem(text) as AbiEvent
const withoutEvent = { event: undefined, member: undefined, referrer: undefined }
const communities = [
  ...cases.map((one, index) => {
    const { preset, order } = one
    return testCommunity({ id: idOf(one), address: contractOf(index), ...withoutEvent, preset, order })
  }),
  ...rewardCases.map(({ preset }, index) =>
    testCommunity({ id: preset.toLowerCase(), address: contractOf(100 + index), rewards: { preset } }),
  ),
]

let world: World
let server: Server

beforeAll(async () => {
  world = await startWorld(communities)
  const { chain } = world
  for (const { address } of communities) await chain.place(address as Address)
  for (const [index, { preset, event, order }] of cases.entries()) {
    const item = eventOf(event)
    const known: { event: string; where?: Record<string, number> } = bindPresets[preset]
    const more = item.inputs.slice(2).map(({ name }) => BigInt(known.where?.[name as string] ?? 7))
    const toLog = (...pair: [Address, Address]): Emitted => [
      item,
      ...(order === 'memberFirst' ? pair : pair.toReversed()),
      ...more,
    ]
    await chain.emit(contractOf(index), [toLog(referrer, zeroAddress), toLog(member, referrer)])
  }
  const bound = eventOf('event Bound(address indexed member, address indexed referrer)')
  for (const [index, { event, values }] of rewardCases.entries()) {
    const paid = eventOf(event)
    await chain.emit(contractOf(100 + index), [
      [bound, member, referrer],
      [paid, ...values(member, 5n)],
      [paid, ...values(member, 2n ** 200n)],
    ])
  }
  const index = await world.createIndex()
  await index.start()
  server = await startServer({ config: world.config, database: index.url, nodes: chain.url })
  await poll(
    async () =>
      (await server.statusOf('/ready')) === 200 &&
      (await server.get<{ reasons?: [] }>('/status')).reasons?.length === 0,
  )
})

afterAll(async () => {
  await server?.kill('SIGKILL')
  await world?.stop()
})

const card = (id: string, address: Address) => server.get<Member>(`/communities/${id}/members/${address}`)

test('behavior: every preset is tested in each of its orders', () => {
  const all = Object.entries(bindPresets).flatMap(([preset, { orders }]) =>
    orders === 'either' ? [`${preset} memberFirst`, `${preset} referrerFirst`] : [`${preset} ${orders}`],
  )
  expect(cases.map(({ preset, order }) => `${preset} ${order}`).sort()).toEqual(all.sort())
  expect(rewardCases.map(({ preset }) => preset).sort()).toEqual(Object.keys(rewardPresets).sort())
})

test.each(cases)('behavior: $preset, $order: $event', async (one) => {
  expect(toEventSelector(eventOf(one.event)).slice(2, 10)).toBe(one.topic0)
  expect(await card(idOf(one), member)).toMatchObject({ referrer: getAddress(referrer), depth: 1 })
  expect(await card(idOf(one), referrer)).toMatchObject({ referrer: null, directs: 1, status: 'member' })
})

test.each(rewardCases)('behavior: $preset feeds rewards and makes no edge', async ({ preset, event, topic0 }) => {
  expect(toEventSelector(eventOf(event)).slice(2, 10)).toBe(topic0)
  const id = preset.toLowerCase()
  expect(await card(id, member)).toMatchObject({ rewards: (2n ** 200n + 5n).toString(), directs: 0 })
  const { items } = await server.get<MemberEvents>(`/communities/${id}/members/${member}/events?kind=reward`)
  const from = preset === 'paidReferral' ? getAddress(addressOf(1)) : null
  expect(items).toMatchObject([
    { amount: String(2n ** 200n), from },
    { amount: '5', from },
  ])
})
