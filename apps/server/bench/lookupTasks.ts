import type { Levels, Metrics, Referrals, Referrers } from '@lineage/referral-api'
import { addressOf, timeOf } from '../../../packages/forest/bench/community.ts'
import { createRandom } from '../../../scripts/lib/createRandom.ts'
import { blockOf } from './community.ts'
import { recursive } from './recursive.ts'

/** A lookup to measure, which may differ in each round. */
export type Task = {
  name: string
  path: (round: number) => string
  body?: (round: number) => string
  /** Path that is requested continuously during the measurement. */
  beside?: string
  /** The same lookup in recursive SQL. */
  sql?: (round: number) => string
  /** Largest time in the server, in milliseconds, at the 95th percentile. */
  atMost: number
}
type Step = Omit<Task, 'atMost'>

type TaskParameters = { members: number; rounds: number }
/** Reads an answer of the measured server. */
type ReadJson = (path: string) => Promise<unknown>

/** Members that lookups are about. */
type Subjects = {
  members: number
  root: string
  /** The member with the most directs. */
  most: string
  anybody: (round: number) => string
  /** Members at all heights of uplines. */
  upline: (round: number) => string
  /** Addresses of members who had joined by the first requested day. */
  elder: (round: number) => string
}

const budget = 10
/** Milliseconds after which a filter is refused. */
const filterBudget = 50
/** Share of the members who had joined by the first requested day. */
const pastFrom = 0.5

const of = (address: string, rest = '') => `/communities/demo/members/${address}${rest}`

/** Lists every lookup with its budget. */
export async function createTasks(readJson: ReadJson, { members, rounds }: TaskParameters): Promise<Task[]> {
  const json = readJson as <answer>(path: string) => Promise<answer>
  const { next: random } = createRandom(11)
  const randomAddresses = Array.from({ length: rounds }, () => addressOf(Math.floor(random() * members)))
  const uplines: string[] = []
  const elders: string[] = []
  for (const address of randomAddresses) {
    const { items } = await json<Referrers>(of(address, '/referrers'))
    const upline = items[Math.floor(random() * items.length)]
    uplines.push((upline?.address ?? address).toLowerCase())
    if (upline?.joinedAt && upline.joinedAt < timeOf(members * pastFrom, members))
      elders.push(upline.address.toLowerCase())
  }
  const root = addressOf(0)
  const { leaders } = await json<Metrics>('/communities/demo/metrics')
  const subjects: Subjects = {
    members,
    root,
    most: leaders.directs[0]?.address.toLowerCase() ?? root,
    anybody: (round) => one(randomAddresses, round),
    upline: (round) => one(uplines, round),
    elder: (round) => one(elders, round),
  }
  const { items } = await json<Levels>(of(root, '/levels'))
  const widest = items.reduce((wide, level) => (level.count > wide.count ? level : wide)).level
  const within = (atMost: number, steps: readonly Step[]) => steps.map((step) => ({ ...step, atMost }))
  return [
    ...within(budget, listMember(subjects)),
    ...within(budget, [...listPages(subjects), ...(await listLongPages(json, subjects, widest))]),
    ...within(filterBudget, listFilters(subjects)),
    ...within(budget, listPast(subjects)),
    ...within(budget, listAmounts(subjects)),
    ...within(budget, listEventsAndMaps(subjects)),
    ...within(budget, listOthers(subjects)),
  ]
}

const one = (list: readonly string[], round: number) => list[round % list.length] as string

function listMember({ root, anybody, upline }: Subjects): Step[] {
  const step = (
    name: string,
    rest: string,
    who: (round: number) => string,
    sql: (subject: string) => string,
  ): Step => ({
    name,
    path: (round) => of(who(round), rest),
    sql: (round) => sql(who(round)),
  })
  return [
    step('member, anybody', '', anybody, recursive.member),
    step('member, largest root', '', () => root, recursive.member),
    step('referrers', '/referrers?limit=200', anybody, recursive.referrers),
    step('levels, on uplines', '/levels', upline, recursive.levels),
    step('levels, largest root', '/levels', () => root, recursive.levels),
    step('growth by day, on uplines', '/growth', upline, recursive.growth),
    step('growth by day, largest root', '/growth', () => root, recursive.growth),
  ]
}

const orders = (['joined', 'team', 'volume'] as const).flatMap((sort) =>
  (['asc', 'desc'] as const).map((order) => ({ sort, order })),
)

function listPages({ most, upline }: Subjects): Step[] {
  return orders.flatMap(({ sort, order }): Step[] => [
    {
      name: `directs by ${sort} ${order}, most directs`,
      path: () => of(most, `/referrals?sort=${sort}&order=${order}`),
      sql: () => recursive[sort](most, 'level = 1'),
    },
    {
      name: `level 3 by ${sort} ${order}, on uplines`,
      path: (round) => of(upline(round), `/referrals?level=3&sort=${sort}&order=${order}`),
      sql: (round) => recursive[sort](upline(round), 'level = 3'),
    },
  ])
}

/** Lists lookups that read millions of rows page by page, like a user who scrolls. */
async function listLongPages(
  json: <answer>(path: string) => Promise<answer>,
  { root }: Subjects,
  widest: number,
): Promise<Step[]> {
  const steps: Step[] = []
  for (const { sort, order } of orders)
    for (const [name, level, where] of [
      [`widest level by ${sort} ${order}`, String(widest), `level = ${widest}`],
      [`whole downline by ${sort} ${order}`, 'all', 'true'],
    ] as const) {
      const first = of(root, `/referrals?level=${level}&sort=${sort}&order=${order}`)
      const paths = [first]
      while (paths.length < 40) {
        const { nextCursor } = await json<Referrals>(paths.at(-1) as string)
        if (nextCursor === null) break
        paths.push(`${first}&cursor=${nextCursor}`)
      }
      steps.push({ name, path: (round) => one(paths, round), sql: () => recursive[sort](root, where) })
    }
  return steps
}

/** Lists filters of the largest downline, each alone and all together, in join order and in the costliest order. */
function listFilters({ root, upline, members }: Subjects): Step[] {
  const late = timeOf(Math.floor(members * 0.99), members)
  const filters = [
    [
      'a month',
      `joinedFrom=${timeOf(Math.floor(members / 2), members)}&joinedTo=${timeOf(Math.floor(members * 0.53), members)}`,
    ],
    ['levels 3 to 9', 'levelFrom=3&levelTo=9'],
    ['teams of 100', 'minTeam=100'],
    ['volume', `minVolume=${10n ** 23n}`],
    ['active', `activeSince=${late}`],
    ['a prefix', 'prefix=0x9e'],
    ['bound', 'bound=true'],
    ['all together', `minTeam=1&minVolume=1&activeSince=${late}&levelFrom=2&joinedFrom=1`],
  ] as const
  // With any other filter, ten million members can be listed only in join order.
  const pruned = ['teams of 100', 'volume', 'a prefix']
  return filters.flatMap(([name, filter]): Step[] => [
    ...(pruned.includes(name) ? ['joined', 'volume'] : ['joined']).map((sort) => ({
      name: `filter of ${name} by ${sort}, largest root`,
      path: () => of(root, `/referrals?${filter}&sort=${sort}`),
    })),
    { name: `filter of ${name}, on uplines`, path: (round) => of(upline(round), `/referrals?${filter}`) },
  ])
}

/** Lists lookups at a past day or block, a different one in each round. */
function listPast({ root, most, anybody, elder, members }: Subjects): Step[] {
  const share = (round: number) => pastFrom + (round % 40) / 100
  const day = (round: number) => dayAt(share(round), members)
  const compared = `/compare?from=${dayAt(pastFrom, members)}&to=${dayAt(0.9, members)}`
  return [
    { name: 'as of a day, on uplines', path: (round) => of(elder(round), `?asOf=${day(round)}`) },
    { name: 'as of a day, largest root', path: (round) => of(root, `?asOf=${day(round)}`) },
    {
      name: 'as of a block, on uplines',
      path: (round) => of(elder(round), `?asOf=${blockOf(Math.floor(members * share(round)))}`),
    },
    { name: 'referrers as of a day', path: (round) => of(elder(round), `/referrers?limit=200&asOf=${day(round)}`) },
    ...['joined', 'team'].flatMap((sort): Step[] => [
      {
        name: `directs as of a day by ${sort}, on uplines`,
        path: (round) => of(elder(round), `/referrals?sort=${sort}&asOf=${day(round)}`),
      },
      {
        name: `directs as of a day by ${sort}, most directs`,
        path: (round) => of(most, `/referrals?sort=${sort}&asOf=${day(round)}`),
      },
    ]),
    { name: 'levels as of a day, on uplines', path: (round) => of(elder(round), `/levels?asOf=${day(round)}`) },
    { name: 'levels as of a day, largest root', path: (round) => of(root, `/levels?asOf=${day(round)}`) },
    { name: 'two days compared, on uplines', path: (round) => of(elder(round), compared) },
    { name: 'two days compared, largest root', path: () => of(root, compared) },
    {
      name: 'member, anybody, beside two days compared of the largest root',
      path: (round) => of(anybody(round)),
      beside: of(root, compared),
    },
  ]
}

/** Lists lookups of the amounts of a period or of a past moment, a different one in each round. */
function listAmounts({ root, most, upline, elder, members }: Subjects): Step[] {
  const day = (round: number) => dayAt(pastFrom + (round % 40) / 100, members)
  const month = (round: number) => {
    const share = pastFrom + (round % 40) / 100
    return `from=${dayAt(share, members)}&to=${dayAt(share + 0.03, members)}`
  }
  return [
    { name: 'amounts of a month by day, on uplines', path: (round) => of(elder(round), `/amounts?${month(round)}`) },
    { name: 'amounts of a month by day, largest root', path: (round) => of(root, `/amounts?${month(round)}`) },
    { name: 'amounts by month, largest root', path: () => of(root, '/amounts?interval=month') },
    {
      name: 'as of a day with amounts, largest root',
      path: (round) => of(root, `?asOf=${day(round)}&amounts=true`),
    },
    {
      name: 'levels as of a day with amounts, largest root',
      path: (round) => of(root, `/levels?asOf=${day(round)}&amounts=true`),
    },
    {
      name: 'directs as of a day by volume, most directs',
      path: (round) => of(most, `/referrals?sort=volume&asOf=${day(round)}`),
    },
    {
      name: 'directs by volume of a month, most directs',
      path: (round) => of(most, `/referrals?sort=periodVolume&${month(round)}`),
    },
    {
      name: 'level 3 with amounts of a month, on uplines',
      path: (round) => of(upline(round), `/referrals?level=3&${month(round)}`),
    },
    {
      name: 'whole downline by team with amounts of a month',
      path: (round) => of(root, `/referrals?level=all&sort=team&${month(round)}`),
    },
  ]
}

/** Returns the UTC day by which a share of the members had joined. */
const dayAt = (share: number, members: number) =>
  new Date(timeOf(Math.floor(members * share), members) * 1000).toISOString().slice(0, 10)

function listEventsAndMaps({ root, most, upline }: Subjects): Step[] {
  return [
    { name: 'events of a member, on uplines', path: (round) => of(upline(round), '/events') },
    { name: 'events of a member, most directs', path: () => of(most, '/events') },
    { name: 'events of a member by kind, most directs', path: () => of(most, '/events?kind=referral') },
    { name: 'map of a team, largest root', path: () => of(root, '/map') },
    { name: 'map of a team by volume, largest root', path: () => of(root, '/map?by=volume') },
    { name: 'map of a team by volume, on uplines', path: (round) => of(upline(round), '/map?by=volume') },
    { name: 'map of the community', path: () => '/communities/demo/map' },
    { name: 'map of the community by volume', path: () => '/communities/demo/map?by=volume' },
  ]
}

function listOthers({ anybody, members }: Subjects): Step[] {
  const prefix = (round: number) => anybody(round).slice(0, 4 + (round % 5))
  return [
    { name: 'all communities', path: () => '/communities' },
    { name: 'an address in every community', path: (round) => `/addresses/${anybody(round)}` },
    ...['relation', 'relation/line'].map((path) => ({
      name: `${path} of two members`,
      path: (round: number) => `/communities/demo/${path}?a=${anybody(round)}&b=${anybody(round + 1)}`,
    })),
    {
      name: 'search by prefix',
      path: (round) => `/communities/demo/search?q=${prefix(round)}`,
      sql: (round) => recursive.search(prefix(round)),
    },
    { name: 'latest events', path: () => '/communities/demo/events', sql: recursive.events },
    { name: 'metrics', path: () => '/communities/demo/metrics', sql: recursive.metrics },
    ...[false, true].map((tx) => ({
      name: `batch of 500 that were not asked before${tx ? ', with transactions' : ''}`,
      path: () => '/communities/demo/members/batch',
      body: (round: number) => batchOf({ round, members, tx }),
    })),
  ]
}

function batchOf({ round, members, tx }: { round: number; members: number; tx: boolean }): string {
  const { next: random } = createRandom(round * 2 + Number(tx))
  const addresses = Array.from({ length: 500 }, () => addressOf(Math.floor(random() * members)))
  return JSON.stringify({ addresses, tx })
}
