import { parseArgs } from 'node:util'
import { createForest, type Forest, type Slices } from '../src/index.ts'
import { addressOf, createEvents, now } from './community.ts'

/** Measures the answers about a past moment that are computed in slices: the longest slice and all of them. */
const { values } = parseArgs({ options: { members: { type: 'string', default: '1000000' } } })
const members = Number(values.members)

const forest = createForest()
forest.commit(members)
forest.load(createEvents(members)(0, members))
forest.takeSnapshot()

const id = forest.find(addressOf(0)) as number
const past = { block: Math.floor(members * 0.9) }
const period = { from: { block: Math.floor(members * 0.88) }, to: past }
const days = (from: number, to: number) =>
  Array.from({ length: Math.floor(to / 86_400) - Math.floor(from / 86_400) + 1 }, (_, day) => {
    return Math.max(from, (Math.floor(from / 86_400) + day) * 86_400)
  })
const some = Array.from({ length: 250 }, (_, index) => addressOf(index))
const asked: Record<string, (of: Forest) => Slices<unknown>> = {
  'metrics, first': (of) => of.pastMetrics({ moment: past }),
  'metrics, of another block': (of) => of.pastMetrics({ moment: { block: past.block - 1 } }),
  'metrics, again': (of) => of.pastMetrics({ moment: past }),
  'undated of all': (of) => of.undated(null, past),
  'member, first': (of) => of.pastMember(id, past),
  'member with amounts, first': (of) => of.pastMember(id, past, { amounts: true }),
  'member with amounts': (of) => of.pastMember(id, past, { amounts: true }),
  'levels with amounts': (of) => of.pastLevels(id, past, { amounts: true }),
  'amounts by day': (of) => of.amounts(id, { to: past, periods: days }),
  'amounts by day, again': (of) => of.amounts(id, { to: past, periods: days }),
  'amounts of a period': (of) => of.amounts(id, period),
  levels: (of) => of.pastLevels(id, past),
  'directs by team': (of) => of.pastDirects(id, { moment: past, sort: 'team', order: 'desc', limit: 50 }),
  'directs by volume': (of) => of.pastDirects(id, { moment: past, sort: 'volume', order: 'desc', limit: 50 }),
  'directs of a period by volume': (of) =>
    of.periodReferrals(id, { period, sort: 'periodVolume', order: 'desc', limit: 50, levelTo: 1 }),
  'directs of a period by volume, again': (of) =>
    of.periodReferrals(id, { period, sort: 'periodVolume', order: 'desc', limit: 50, levelTo: 1 }),
  'amounts of 250 members': (of) => of.periodAmounts(some, { to: past }),
  'amounts of 250 members, again': (of) => of.periodAmounts(some, { to: past }),
  'downline by join': (of) => of.pastReferrals(id, { moment: past, sort: 'joined', order: 'desc', limit: 50 }),
  'compare with half': (of) => of.compare(id, { block: Math.floor(members * 0.5) }, past),
  'compare with half, again': (of) => of.compare(id, { block: Math.floor(members * 0.5) }, past),
  risers: (of) => of.risers(null, { period, by: 'members', limit: 10 }),
  'activity of 30 days': (of) =>
    of.activity(null, { from: now - 60 * 86_400, until: now - 30 * 86_400, periods: days }),
  'sides of 2,000 binds': findSides,
}

/** Finds the sides of both addresses of binds, a thousand at once, as a page of a dispute sheet does. */
function* findSides(of: Forest): Slices<number> {
  const other = of.find(addressOf(1)) as number
  const nearest = of.nearest(id, other, past.block)
  let sides = 0
  for (let bind = 0; bind < 4_000; bind++) {
    const address = addressOf(Math.floor((bind * past.block) / 4_000))
    if (nearest(of.find(address) as number) !== undefined) sides++
    if ((bind + 1) % 2_000 === 0) yield
  }
  return sides
}

/** Milliseconds of processor time of this thread. */
function workSince(before: NodeJS.CpuUsage | undefined): number {
  const { user, system } = process.threadCpuUsage(before)
  return (user + system) / 1_000
}

function measure(slices: Slices<unknown>) {
  const figures = { slices: 0, total: 0, longest: 0, over20: 0, note: '' }
  try {
    for (let done: boolean | undefined = false; !done; ) {
      const before = process.threadCpuUsage()
      done = slices.next().done
      const work = workSince(before)
      figures.slices++
      figures.total += work
      figures.longest = Math.max(figures.longest, work)
      figures.over20 += Number(work > 20)
    }
  } catch (error) {
    figures.note = (error as Error).message
  }
  return { ...figures, total: Math.round(figures.total), longest: Number(figures.longest.toFixed(1)) }
}

console.log(`${members} members; milliseconds of work`)
console.table(Object.fromEntries(Object.entries(asked).map(([name, ask]) => [name, measure(ask(forest))])))
