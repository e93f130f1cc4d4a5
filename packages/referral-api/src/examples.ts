import { byAmountKind } from './amounts.ts'

/** Returns an example of a response, and of a request body. Its type leaves out the values, so that published types do not repeat them. */
export const toExample = (response: unknown, body?: unknown) => ({ response, body })

/** Returns an example of an answer of the newest block, and of a request body. */
export const toAnswer = (rest: object, body?: unknown) => toExample({ asOf: newestBlock, ...rest }, body)

/** Example addresses from EIP-55. */
export const [member, referrer, root] = [
  '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed',
  '0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359',
  '0xdbF03B407c01E7cD3CBea99509d93f8DDDC8C6FB',
]
export const txHash = '0x88df016429689c079f3b2f6ad39fa052532c50795b733da78a91ebe6a713944b'
export const newestBlock = { block: 68_123_456, timestamp: 1_763_683_200, finalizedBlock: 68_123_441 }
export const day = '2025-11-20'
export const summary = {
  address: member,
  status: 'member',
  referrer,
  depth: 2,
  joinedAt: 1_740_787_200,
  grade: 'exact',
  block: 46_823_114,
  logIndex: 88,
  directs: 12,
  team: 340,
  ownVolume: '1500000000000000000000',
  teamVolume: '48200000000000000000000',
}
export const card = {
  ...summary,
  root,
  between: null,
  maxLevel: 7,
  largestLeg: '30100000000000000000000',
  otherLegs: '18100000000000000000000',
  rewards: '964000000000000000000',
}
export const mapItem = {
  address: member,
  parent: null,
  depth: 2,
  directs: 12,
  members: 341,
  volume: '49700000000000000000000',
  recent: 31,
  rest: { legs: 12, members: 340, volume: '48200000000000000000000', recent: 31 },
}
export const amounts = { volume: '9200000000000000000000', rewards: '184000000000000000000' }
export const noAmounts = { volume: '0', rewards: '0' }
export const period = { members: 31, ...amounts }
export const activity = {
  interval: 'day',
  tz: 'UTC',
  from: 1_763_596_800,
  to: newestBlock.timestamp,
  undated: 0,
  items: [{ from: day, active: 35, bound: 31, bought: 9, brought: 6 }],
}
const rank = { rank: 3, equal: 2, of: 18 }
export const places = { team: rank, directs: rank }
export const leader = { address: root, directs: 18, team: 4011, teamVolume: '512000000000000000000000' }
const token = { symbol: 'USDT', decimals: 18 }
export const community = {
  id: 'demo',
  name: { 'zh-CN': '示例社区', en: 'Demo' },
  contract: '0xD1220A0cf47c7B9Be7A2E6BA89F429762e7b9aDb',
  chainId: 56,
  startBlock: 46_100_000,
  members: 4012,
  status: 'ready',
  withheld: null,
  tokens: byAmountKind(() => token),
  parent: {
    contract: '0xD1220A0cf47c7B9Be7A2E6BA89F429762e7b9aDb',
    view: 'function referrerOf(address member) view returns (address)',
    args: [null],
    output: [0],
  },
  grades: ['exact'],
  explorer: 'https://bscscan.com',
}
const bind = { address: member, referrer, status: 'bound', block: 46_823_114, logIndex: 87, timestamp: 1_740_787_200 }
export const exactBind = { ...bind, tx: txHash, grade: 'exact', between: null }

/** Examples of the parameters that need one, by name. */
export const parameterExamples: Record<string, string> = {
  community: community.id,
  address: member,
  a: member,
  b: referrer,
  q: '0x5aAe',
  from: day,
  to: '68000000',
  webhook: '5Yd0Jm2kQw8',
  token: 'q1Yt5bK2LwZc8nU0s4hG6w',
}
