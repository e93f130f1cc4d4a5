import type { OperationId } from './routes.ts'

/** Example addresses from EIP-55. */
const [member, referrer, root] = [
  '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed',
  '0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359',
  '0xdbF03B407c01E7cD3CBea99509d93f8DDDC8C6FB',
]
const tx = '0x88df016429689c079f3b2f6ad39fa052532c50795b733da78a91ebe6a713944b'
const asOf = { block: 68_123_456, timestamp: 1_763_683_200, finalizedBlock: 68_123_441 }
const day = '2025-11-20'

const summary = {
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
const card = {
  ...summary,
  root,
  between: null,
  maxLevel: 7,
  largestLeg: '30100000000000000000000',
  otherLegs: '18100000000000000000000',
  rewards: '964000000000000000000',
}
const mapItem = {
  address: member,
  parent: null,
  depth: 2,
  directs: 12,
  members: 341,
  volume: '49700000000000000000000',
  recent: 31,
  rest: { legs: 12, members: 340, volume: '48200000000000000000000', recent: 31 },
}
const amounts = { volume: '9200000000000000000000', rewards: '184000000000000000000' }
const noAmounts = { volume: '0', rewards: '0' }
const period = { members: 31, ...amounts }
const activity = {
  asOf,
  interval: 'day',
  tz: 'UTC',
  from: 1_763_596_800,
  to: asOf.timestamp,
  undated: 0,
  items: [{ from: day, active: 35, bound: 31, bought: 9, brought: 6 }],
}
const rank = { rank: 3, equal: 2, of: 18 }
const places = { team: rank, directs: rank }
const leader = { address: root, directs: 18, team: 4011, teamVolume: '512000000000000000000000' }
const token = { symbol: 'USDT', decimals: 18 }
const community = {
  id: 'demo',
  name: { 'zh-CN': '示例社区', en: 'Demo' },
  contract: '0xD1220A0cf47c7B9Be7A2E6BA89F429762e7b9aDb',
  chainId: 56,
  startBlock: 46_100_000,
  members: 4012,
  status: 'ready',
  withheld: null,
  tokens: { volume: token, reward: token },
  parent: {
    contract: '0xD1220A0cf47c7B9Be7A2E6BA89F429762e7b9aDb',
    view: 'function referrerOf(address member) view returns (address)',
    args: [null],
    output: [0],
  },
  grades: ['exact'],
  explorer: 'https://bscscan.com',
}
const session = { address: member, chainId: 56, expiresAt: 1_764_288_000_000 }
const label = { address: member, text: 'Treasury', watched: true, updatedAt: 1_763_683_200 }
const { address: _, updatedAt, ...labelContent } = label
const rules = { directs: true, team: 'day', milestones: true, referrer: true, irregular: false, volumeFrom: null }
const watch = { community: community.id, address: referrer, rules, updatedAt }
const alert = {
  id: 'Zc8nU0s4hG6wq1Yt5bK2Lw',
  number: 42,
  kind: 'direct',
  community: community.id,
  address: referrer,
  time: 1_763_683_200,
  block: 68_123_456,
  hash: tx,
  logIndex: 87,
  member,
  referrer,
  from: null,
  status: 'bound',
  amount: null,
  members: null,
  isUndated: false,
  webhook: null,
  retracts: null,
  isRetracted: false,
  isRead: false,
}
const delivery = { alert: alert.id, at: 1_763_683_201, status: 200, milliseconds: 31, answer: 'ok' }
const webhook = {
  id: '5Yd0Jm2kQw8',
  url: 'https://hooks.example/lineage',
  state: 'active',
  failingSince: null,
  deliveries: [delivery],
}
const call = { jsonrpc: '2.0', id: 1, method: 'eth_chainId', params: [] }
const message = `lineage.example wants you to sign in with your Ethereum account:
${member}

URI: https://lineage.example
Version: 1
Chain ID: 56
Nonce: 8f2hs01kq7x3m9z4
Issued At: 2025-11-21T00:00:00.000Z`

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

const bind = { address: member, referrer, status: 'bound', block: 46_823_114, logIndex: 87, timestamp: 1_740_787_200 }
const exactBind = { ...bind, tx, grade: 'exact', between: null }
const change = { asOf, members: 4012, changed: [member], count: 1, fork: null }

/** Examples of the request body and the response of each operation. */
export const examples: { [id in OperationId]?: { body?: unknown; response?: unknown } } = {
  communities: { response: { asOf, items: [community] } },
  addresses: {
    response: {
      asOf,
      items: [{ community: community.id, name: community.name, asOf, status: 'ready', member: card }],
    },
  },
  metrics: {
    response: {
      asOf,
      tz: 'UTC',
      members: 4012,
      referrers: 803,
      roots: 3,
      maxDepth: 41,
      averageDirects: 4.99,
      volume: '512000000000000000000000',
      rewards: '10240000000000000000000',
      last24h: period,
      last7d: period,
      last30d: period,
      previous: { last24h: period, last7d: period, last30d: period },
      dirty: { self: 3, duplicate: 4, cycle: 2, placeholder: 1 },
      undated: 0,
      series: [{ day, totalMembers: 4012, ...period }],
      depths: [{ depth: 0, count: 3 }],
      directsHistogram: [{ from: 501, to: null, count: 1 }],
      leaders: { team: [leader], directs: [leader], volume: [leader] },
    },
  },
  risers: {
    response: {
      asOf,
      by: 'members',
      after: null,
      to: { block: 68_000_000, timestamp: null },
      undated: 0,
      items: [{ address: member, rank: 1, members: 31 }],
    },
  },
  teamRisers: {
    response: {
      asOf,
      by: 'volume',
      after: { block: null, timestamp: 1_761_004_799 },
      to: { block: 68_000_000, timestamp: null },
      undated: 0,
      items: [{ address: member, rank: 1, volume: amounts.volume }],
    },
  },
  activity: { response: activity },
  teamActivity: { response: activity },
  amounts: {
    response: {
      asOf,
      interval: 'day',
      tz: 'UTC',
      after: null,
      to: { block: 68_000_000, timestamp: null, undated: 0 },
      own: noAmounts,
      team: amounts,
      items: [{ from: day, own: noAmounts, team: amounts }],
    },
  },
  ranks: { response: { asOf, address: member, siblings: places, community: places } },
  search: { response: { asOf, items: [summary], more: false } },
  events: {
    response: {
      asOf,
      items: [exactBind],
      nextCursor: '46823114-87',
    },
  },
  memberEvents: {
    response: {
      asOf,
      items: [
        {
          kind: 'reward',
          address: member,
          referrer: null,
          status: null,
          amount: '964000000000000000000',
          from: referrer,
          block: 46_823_114,
          logIndex: 88,
          timestamp: 1_740_787_200,
          tx,
          grade: 'exact',
          between: null,
        },
      ],
      nextCursor: '46823114-88-1',
    },
  },
  memberEventsCsv: {
    response: `\uFEFFtime,time UTC,kind,address,referrer,status,amount,decimal,token,from,block,logIndex,tx,grade,firstBlock,lastBlock\r\n2025-03-01T00:00:00Z,2025-03-01 00:00:00,reward,${member},,,964000000000000000000,964,"USDT",${referrer},46823114,88,${tx},exact,,\r\n`,
  },
  compare: {
    response: {
      asOf,
      from: { at: { block: null, timestamp: 1_761_004_799, undated: 0 }, member: null },
      to: { at: { block: 68_000_000, timestamp: null, undated: 0 }, member: null },
      came: {
        count: 1,
        undated: 0,
        items: [{ address: member, joinedAt: 1_762_000_000, grade: 'exact', block: 67_000_000, logIndex: 4 }],
      },
      left: 0,
      amounts: { own: noAmounts, team: amounts },
      legs: [{ address: member, from: 0, to: 1, ...amounts }],
      legsChanged: 1,
    },
  },
  map: { response: { asOf, by: 'members', tz: 'UTC', since: '2025-10-22', items: [mapItem], rest: mapItem.rest } },
  teamMap: { response: { asOf, by: 'members', tz: 'UTC', since: '2025-10-22', items: [mapItem], rest: null } },
  relation: {
    response: { asOf, a: member, b: referrer, relation: 'below', common: referrer, stepsA: 1, stepsB: 0 },
  },
  pairBinds: {
    response: {
      asOf,
      at: { block: asOf.block, timestamp: null, undated: 0 },
      a: referrer,
      b: root,
      items: [
        {
          ...exactBind,
          referrer: root,
          status: 'duplicate',
          memberSide: 'a',
          referrerSide: 'b',
          held: {
            ...{
              referrer,
              block: 46_823_000,
              logIndex: 12,
              timestamp: 1_740_786_900,
              tx,
              grade: 'exact',
              between: null,
            },
            referrerSide: 'a',
          },
        },
      ],
      nextCursor: null,
    },
  },
  line: { response: { asOf, items: [{ ...summary, step: 0, side: 'a' }], nextCursor: null } },
  batch: {
    body: { addresses: [member, '0x1'], tx: true },
    response: {
      asOf,
      items: [
        { input: member, card: { ...card, tx }, error: null },
        {
          input: '0x1',
          card: null,
          error: { code: 'invalid_address', detail: 'Invalid address: it must be 0x and 40 hex digits.' },
        },
      ],
    },
  },
  member: { response: { asOf, ...card, tx } },
  levels: { response: { asOf, items: [{ level: 1, count: 12, volume: '8400000000000000000000' }] } },
  growth: {
    response: { asOf, interval: 'day', tz: 'UTC', undated: 0, items: [{ from: day, members: 4, total: 340 }] },
  },
  referrals: { response: { asOf, items: [{ ...summary, level: 1 }], nextCursor: null } },
  referralsCsv: {
    response: `\uFEFFlevel,address,status,referrer,depth,joinedAt,joinedAt UTC,directs,team,ownVolume,ownVolume USDT,teamVolume,teamVolume USDT,grade,block,logIndex,tx,firstBlock,lastBlock\r\n1,${member},member,${referrer},2,2025-03-01T00:00:00Z,2025-03-01 00:00:00,12,340,1500000000000000000000,1500,48200000000000000000000,48200,exact,46823114,88,${tx},,\r\n`,
  },
  roots: {
    response: {
      asOf,
      items: [{ ...summary, address: root, referrer: null, depth: 0, directs: 18, team: 4011 }],
      nextCursor: null,
      count: 3,
    },
  },
  membersCsv: {
    response: `\uFEFFaddress,status,referrer,root,depth,joinedAt,joinedAt UTC,directs,team,ownVolume,ownVolume USDT,teamVolume,teamVolume USDT,rewards,rewards USDT,grade,block,logIndex,tx,firstBlock,lastBlock,asOfBlock\r\n${member},member,${referrer},${root},2,2025-03-01T00:00:00Z,2025-03-01 00:00:00,12,340,1500000000000000000000,1500,48200000000000000000000,48200,964000000000000000000,964,exact,46823114,88,${tx},,,68123456\r\n`,
  },
  rootsCsv: {
    response: `\uFEFFaddress,status,referrer,root,depth,joinedAt,joinedAt UTC,directs,team,ownVolume,ownVolume USDT,teamVolume,teamVolume USDT,rewards,rewards USDT,grade,block,logIndex,tx,firstBlock,lastBlock,asOfBlock\r\n${root},placeholder,,${root},0,,,18,4011,0,0,512000000000000000000000,512000,0,0,,,,,,,68123456\r\n`,
  },
  eventsCsv: {
    response: `\uFEFFtime,time UTC,kind,address,referrer,status,amount,decimal,token,from,block,logIndex,tx,grade,firstBlock,lastBlock,asOfBlock\r\n2025-03-01T00:00:00Z,2025-03-01 00:00:00,bind,${member},${referrer},bound,,,,,46823114,88,${tx},exact,,,68123456\r\n`,
  },
  seriesCsv: {
    response: `\uFEFFday,members,totalMembers,volume,volume USDT,rewards,rewards USDT,asOfBlock\r\n${day},31,4012,9200000000000000000000,9200,184000000000000000000,184,68123456\r\n`,
  },
  referrers: {
    response: { asOf, items: [{ ...summary, address: referrer, referrer: root, depth: 1 }], nextCursor: null },
  },
  nonce: { response: { nonce: '8f2hs01kq7x3m9z4' } },
  verify: { body: { message, signature: `0x${'1b'.repeat(65)}` }, response: session },
  session: { response: session },
  signOut: { body: {} },
  account: {
    response: {
      address: member,
      labels: [label],
      watches: [watch],
      alerts: [alert],
      webhooks: [webhook],
      sessions: [{ chainId: 56, expiresAt: session.expiresAt }],
    },
  },
  alerts: { response: { items: [alert], unread: 1, nextCursor: null } },
  readAlerts: { body: { upTo: 42 } },
  alertSettings: {
    response: {
      watches: [watch],
      webhooks: [webhook],
      webhooksOffered: 'on',
      feed: 'on',
      limits: { watches: 50, webhooks: 5 },
    },
  },
  saveWatch: { body: rules, response: watch },
  addWebhook: {
    body: { url: webhook.url },
    response: { ...webhook, deliveries: [], secret: 'whsec_bGluZWFnZSBsaW5lYWdlIGxpbmVhZ2U=' },
  },
  testWebhook: { response: { ...delivery, alert: null } },
  renewFeed: { response: { path: '/v1/feeds/q1Yt5bK2LwZc8nU0s4hG6w' } },
  alertsFeed: {
    response: '<feed xmlns="http://www.w3.org/2005/Atom"><title>Lineage</title></feed>',
  },
  labels: { response: { items: [label] } },
  mergeLabels: { body: { items: [label] }, response: { items: [label] } },
  saveLabel: { body: labelContent, response: label },
  status: {
    response: { state: 'ready', progress: null, asOf, headBlock: asOf.block, note: null, warnings: [], spotChecks: [] },
  },
  live: { response: `event: change\nid: ${asOf.block}\ndata: ${JSON.stringify(change)}\n\n` },
  health: { response: { status: 'ok' } },
  ready: { response: { status: 'ready' } },
  config: {
    response: {
      chainId: 56,
      rpcUrls: ['https://bsc-dataseed.bnbchain.org', '/v1/rpc'],
      relayProjectId: null,
      relayUrl: null,
      names: { service: false, bnb: true },
      demo: null,
    },
  },
  rpc: { body: call, response: { jsonrpc: '2.0', id: 1, result: '0x38' } },
  name: { response: { data: 'lineage.bnb' } },
}
