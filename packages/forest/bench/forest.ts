import { parseArgs } from 'node:util'
import { createRandom } from '../../../scripts/lib/createRandom.ts'
import { createForest, createSnapshots, type Forest } from '../src/index.ts'
import { addressOf, createEvents, now } from './community.ts'

const { values } = parseArgs({
  options: {
    members: { type: 'string', default: '1000000' },
    rounds: { type: 'string', default: '300' },
    json: { type: 'boolean', default: false },
  },
})
const members = Number(values.members)
const rounds = Number(values.rounds)
const eventsOf = createEvents(members)

interface Lookup {
  name: string
  p50: number
  p95: number
  p99: number
  max: number
}

const lookups: Lookup[] = []
function measure(name: string, run: (round: number) => unknown): void {
  const times: number[] = []
  for (let round = 0; round < rounds; round++) {
    const before = performance.now()
    run(round)
    times.push(performance.now() - before)
  }
  times.sort((left, right) => left - right)
  const at = (share: number) => times[Math.min(times.length - 1, Math.floor(times.length * share))] as number
  lookups.push({ name, p50: at(0.5), p95: at(0.95), p99: at(0.99), max: times.at(-1) as number })
}

function secondsSince(before: number): number {
  return (performance.now() - before) / 1000
}

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
for (const event of eventsOf(members, members + newer)) {
  if (event.kind === 'bind') forest.bind(event)
  else forest.addVolume(event)
}
const liveMicroseconds = (secondsSince(beforeLive) * 1e6) / newer

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

const rssMb = process.memoryUsage().rss / 2 ** 20
const worker = await refreshInWorker(forest)

async function refreshInWorker(of: Forest): Promise<{ seconds: number; longestPauseMs: number; rssMb: number }> {
  const snapshots = createSnapshots()
  let index = members + newer + rounds
  // Enough events to make another snapshot due.
  for (const event of eventsOf(index, index + 50_000)) if (event.kind === 'bind') of.bind(event)
  index += 50_000
  let longest = 0
  let last = performance.now()
  const timer = setInterval(() => {
    longest = Math.max(longest, performance.now() - last - 5)
    last = performance.now()
  }, 5)
  const before = performance.now()
  last = before
  await snapshots.refresh(of)
  longest = Math.max(longest, performance.now() - last - 5)
  clearInterval(timer)
  const worked = { seconds: secondsSince(before), longestPauseMs: longest, rssMb: process.memoryUsage().rss / 2 ** 20 }
  await snapshots.close()
  return worked
}

const result = {
  members,
  loadSeconds,
  snapshotSeconds,
  liveMicroseconds,
  worker,
  bytesPerMember: forest.memory.perMember,
  memory: forest.memory,
  rssMb,
  largestTeam: forest.summary(largest).team,
  levels: forest.member(largest).maxLevel,
  widestLevel: widest.count,
  mostDirects: forest.summary(most).directs,
  lookups,
}
if (values.json) console.log(JSON.stringify(result))
else {
  const round = (value: number) => Number(value.toFixed(3))
  console.log(
    `${members} members: the largest team ${result.largestTeam}, ${result.levels} levels, the widest ${widest.count}, ` +
      `most directs ${result.mostDirects}`,
  )
  console.log(
    `load ${round(loadSeconds)} s, snapshot ${round(snapshotSeconds)} s, a live event ${round(liveMicroseconds)} µs`,
  )
  console.log(
    `snapshot in the worker ${round(worker.seconds)} s, longest pause ${round(worker.longestPauseMs)} ms, then ${Math.round(worker.rssMb)} MB`,
  )
  console.log(`${round(result.bytesPerMember)} bytes a member, process ${Math.round(rssMb)} MB`)
  console.table(forest.memory)
  console.table(
    lookups.map(({ name, ...times }) => ({
      name,
      ...Object.fromEntries(Object.entries(times).map(([key, value]) => [key, round(value)])),
    })),
  )
}
