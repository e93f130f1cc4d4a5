/**
 * `pnpm bench:forest [--members 1000000] [--rounds 300] [--json]`: loads a synthetic community, takes a snapshot, adds newer members, and
 * measures the memory by part and the time of each query. Queries that are answered in slices are asked once.
 */

import { createRandom } from '../../../scripts/lib/createRandom.ts'
import { readOptions } from '../../../scripts/lib/readOptions.ts'
import { createForest, createSnapshots, type Slices } from '../src/index.ts'
import { addressOf, createEvents, now } from './community.ts'

const { members, rounds, json } = readOptions({ members: 1_000_000, rounds: 300, json: false })
const eventsOf = createEvents(members)

const lookups: Record<string, Record<'p50' | 'p95' | 'p99' | 'max', number>> = {}
function measure(name: string, run: (round: number) => unknown): void {
  const times = Array.from({ length: rounds }, (_, round) => {
    const before = performance.now()
    run(round)
    return performance.now() - before
  }).sort((left, right) => left - right)
  const at = (share: number) => toShort(times[Math.min(rounds - 1, Math.floor(rounds * share))] as number)
  lookups[name] = { p50: at(0.5), p95: at(0.95), p99: at(0.99), max: at(1) }
}

const sliced: Record<string, Record<'slices' | 'total' | 'longest' | 'over20', number>> = {}
/** Measures the processor time of all slices and of the longest. */
function measureSlices(name: string, slices: Slices<unknown>): void {
  const works: number[] = []
  for (let done: boolean | undefined = false; !done; ) {
    const before = process.threadCpuUsage()
    done = slices.next().done
    const { user, system } = process.threadCpuUsage(before)
    works.push((user + system) / 1_000)
  }
  const total = toShort(works.reduce((sum, work) => sum + work, 0))
  const longest = toShort(Math.max(...works))
  sliced[name] = { slices: works.length, total, longest, over20: works.filter((work) => work > 20).length }
}

const toShort = (value: number) => Number(value.toFixed(3))
const secondsSince = (before: number) => toShort((performance.now() - before) / 1000)

const forest = createForest()
forest.commit(members)
const beforeLoad = performance.now()
forest.load(eventsOf(0, members))
const loadSeconds = secondsSince(beforeLoad)
const beforeSnapshot = performance.now()
forest.takeSnapshot()
const snapshotSeconds = secondsSince(beforeSnapshot)

// The queries below use a snapshot with 25,000 newer members.
const newer = Math.min(25_000, Math.floor(members / 100))
const beforeLive = performance.now()
for (const event of eventsOf(members, members + newer)) forest.add(event)
const liveMicroseconds = toShort(((performance.now() - beforeLive) * 1e3) / newer)

const largest = forest.find(addressOf(0)) as number
const { next: picks } = createRandom(11)
const randomMembers = Array.from(
  { length: rounds },
  () => forest.find(addressOf(Math.floor(picks() * members))) as number,
)
/** Members at all heights of the uplines. */
const uplines = randomMembers.map((id) => {
  const { items } = forest.referrers(id, { limit: 200 })
  const pick = items[Math.floor(picks() * items.length)]
  return pick ? (forest.find(pick.address) as number) : id
})
const widest = forest.levels(largest).reduce((wide, level) => (level.count > wide.count ? level : wide))
const most = forest.find(forest.metrics({ now }).leaders.directs[0]?.address ?? addressOf(0)) as number

measure('member, random', (round) => forest.member(randomMembers[round] as number))
measure('member, most directs', () => forest.member(most))
measure('referrers', (round) => forest.referrers(randomMembers[round] as number, { limit: 200 }))
measure('levels, largest root', () => forest.levels(largest))
measure('levels, on uplines', (round) => forest.levels(uplines[round] as number))
/** Days of Shanghai, which begin within a UTC day. */
const periods = (from: number, to: number) =>
  Array.from({ length: Math.ceil((to - from) / 86_400) + 1 }, (_, day) => from - 28_800 + day * 86_400)
measure('growth by day, largest root', () => forest.growth(largest, { periods, now }))
measure('growth by day, on uplines', (round) => forest.growth(uplines[round] as number, { periods, now }))
for (const sort of ['joined', 'team', 'volume'] as const)
  for (const order of ['asc', 'desc'] as const) {
    const title = `${sort} ${order}`
    const pages = (name: string, id: number, level: number | 'all') => {
      let cursor: string | null = null
      measure(`${name}, ${title}, page after page`, () => {
        cursor = forest.referrals(id, { level, sort, order, limit: 50, cursor }).nextCursor
      })
    }
    pages('widest level', largest, widest.level)
    pages('whole downline', largest, 'all')
    pages('most directs', most, 1)
    measure(`level 3 on uplines, ${title}`, (round) =>
      forest.referrals(uplines[round] as number, { level: 3, sort, order, limit: 50 }),
    )
  }
measure('search by prefix', (round) =>
  forest.searchPrefix(addressOf(Math.floor(picks() * members)).slice(0, 4 + (round % 5)), 20),
)
measure('metrics after a new block', (round) => {
  const block = members + newer + round
  forest.bind({ block, logIndex: 0, timestamp: now, member: addressOf(block), referrer: addressOf(round) })
  forest.metrics({ now: now + round })
})

const moment = { block: Math.floor(members * 0.9) }
const period = { from: { block: Math.floor(members * 0.88) }, to: moment }
const half = { block: Math.floor(members * 0.5) }
const days = (from: number, to: number) =>
  Array.from({ length: Math.floor(to / 86_400) - Math.floor(from / 86_400) + 1 }, (_, day) => {
    return Math.max(from, (Math.floor(from / 86_400) + day) * 86_400)
  })
const some = Array.from({ length: 250 }, (_, index) => addressOf(index))
const page = { order: 'desc', limit: 50 } as const
for (const [name, ask] of Object.entries({
  metrics: () => forest.pastMetrics({ moment }),
  'metrics, of another block': () => forest.pastMetrics({ moment: { block: moment.block - 1 } }),
  'undated of all': () => forest.undated(null, moment),
  member: () => forest.pastMember(largest, moment),
  'member with amounts': () => forest.pastMember(largest, moment, { amounts: true }),
  'levels with amounts': () => forest.pastLevels(largest, moment, { amounts: true }),
  'amounts by day': () => forest.amounts(largest, { to: moment, periods: days }),
  'amounts of a period': () => forest.amounts(largest, period),
  levels: () => forest.pastLevels(largest, moment),
  'directs by team': () => forest.pastDirects(largest, { moment, sort: 'team', ...page }),
  'directs by volume': () => forest.pastDirects(largest, { moment, sort: 'volume', ...page }),
  'directs of a period by volume': () =>
    forest.periodReferrals(largest, { period, sort: 'periodVolume', levelTo: 1, ...page }),
  'amounts of 250 members': () => forest.periodAmounts(some, { to: moment }),
  'downline by join': () => forest.pastReferrals(largest, { moment, sort: 'joined', ...page }),
  'compare with half': () => forest.compare(largest, half, moment),
  risers: () => forest.risers(null, { period, by: 'members', limit: 10 }),
  'activity of 30 days': () =>
    forest.activity(null, { from: now - 60 * 86_400, until: now - 30 * 86_400, periods: days }),
  'sides of 2,000 binds': findSides,
})) {
  measureSlices(`${name}, first`, ask())
  measureSlices(`${name}, again`, ask())
}

/** Finds the sides of both addresses of binds, a thousand at once, as a page of a dispute sheet does. */
function* findSides(): Slices<void> {
  const nearest = forest.nearest(largest, forest.find(addressOf(1)) as number, moment.block)
  for (let bind = 0; bind < 4_000; bind++) {
    nearest(forest.find(addressOf(Math.floor((bind * moment.block) / 4_000))) as number)
    if ((bind + 1) % 2_000 === 0) yield
  }
}

const { memory } = forest
const rssMb = Math.round(process.memoryUsage.rss() / 2 ** 20)
const worker = await refreshInWorker()

/** Adds members until another snapshot is due, and takes it in a worker. */
async function refreshInWorker() {
  const snapshots = createSnapshots()
  const from = members + newer + rounds
  for (const event of eventsOf(from, from + 50_000)) if (event.kind === 'bind') forest.bind(event)
  let longestPauseMs = 0
  let last = performance.now()
  const note = () => {
    longestPauseMs = Math.max(longestPauseMs, toShort(performance.now() - last - 5))
    last = performance.now()
  }
  const timer = setInterval(note, 5)
  const before = performance.now()
  last = before
  await snapshots.refresh(forest)
  note()
  clearInterval(timer)
  const worked = {
    seconds: secondsSince(before),
    longestPauseMs,
    rssMb: Math.round(process.memoryUsage.rss() / 2 ** 20),
  }
  await snapshots.close()
  return worked
}

const figures = {
  members,
  largestTeam: forest.summary(largest).team,
  levels: forest.member(largest).maxLevel,
  widestLevel: widest.count,
  mostDirects: forest.summary(most).directs,
  loadSeconds,
  snapshotSeconds,
  liveMicroseconds,
  rssMb,
}
if (json) console.log(JSON.stringify({ ...figures, worker, memory, lookups, sliced }))
else for (const table of [figures, { worker }, memory, lookups, sliced]) console.table(table)
