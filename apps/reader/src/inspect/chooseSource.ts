import { topicOf } from '@lineage/communities'
import {
  agreement,
  type BindReading,
  bestReading,
  chooseCandidates,
  namesItself,
  readAsBinds,
  writeBind,
} from './compareBinds.ts'
import { describeFunction, findChanges, listSilentWriters } from './findChanges.ts'
import { labelOf, type Way } from './findWays.ts'
import type { Case, Entry } from './Inspection.ts'
import type { Judgement } from './judgeWays.ts'
import type { CodeFunction } from './readCode.ts'
import { readFromEvents } from './readFromEvents.ts'

/**
 * Chooses how the community is read: by an event that both the logs and the contract confirm, or by asking the contract
 * about the addresses that events name, or by an event alone. Returns `undefined` if there is no way to a referrer.
 */
export async function chooseSource(known: Case, judgements: readonly Judgement[]): Promise<Entry | undefined> {
  const best = judgements.find(({ refused }) => refused === undefined)
  if (!best) {
    noteNoView(known, judgements)
    return readFromEvents(known)
  }
  noteParent(known, best, judgements)
  const own = known.events.filter(({ where }) => !where)
  const readings = own.flatMap((event) => readAsBinds(event, best.parents))
  const reading = bestReading(readings)
  const missing = reading ? best.bound.filter((member) => !reading.bound.has(member)) : []
  // Where not all logs were read, the binds of the others may be in the rest.
  const isCovering = reading && (known.sample.extent !== 'all' || missing.length * 20 <= best.bound.length)
  const parent = { parent: shorten(best.way.config), ...(best.fallback && { roots: [best.fallback] }) }
  const silent = reading ? listSilentWriters(known, best, topicOf(reading.event.item)) : []
  if (reading && isCovering && silent.length === 0)
    return { ...fromReading(known, best, reading, missing.length), ...parent, ...rootsOf(best, reading) }
  if (silent.length > 0) noteSilent(known, silent)
  else if (reading && (isWhole(reading) || missing.length * 2 < best.bound.length))
    noteUncovered(known, reading, missing.length, best)
  else noteContradictions(known, readings)
  return { ...(await fromCandidates(known, best, silent)), ...parent }
}

/** Returns whether a reading takes all logs of its event. */
const isWhole = ({ where }: BindReading) => Object.keys(where).length === 0

/** Returns the addresses that mean "no referrer": asked, the contract itself does without being named. */
function rootsOf({ fallback }: Judgement, reading: BindReading): Entry {
  const roots = [...(fallback ? [fallback] : []), ...(namesItself(reading) ? [reading.event.address] : [])]
  return roots.length > 0 ? { roots } : {}
}

/** Returns a way as the configuration writes it: as the text of its view, if it has no other field. */
const shorten = (config: Way['config']) => ('view' in config && Object.keys(config).length === 1 ? config.view : config)

function noteParent({ findings, doubts, people }: Case, best: Judgement, judgements: readonly Judgement[]): void {
  const { way, bound, parents, confirmed, fallback, failed } = best
  const label = labelOf(way)
  findings.push({
    about: 'parent',
    text: label,
    evidence: `returns a referrer for ${bound.length} of ${parents.size} addresses that took part; logs or transactions name ${confirmed} of them together with it`,
    level: way.rank === undefined || bound.length < 3 ? 'guess' : 'found',
  })
  const [member] = bound
  if (way.rank === undefined)
    doubts.push({
      question: `Is ${label} the referrer? ${reasonOf(way)} It returns ${member && parents.get(member)} for ${member}.`,
      settle:
        'Compare it with the contract’s own page. If it is another one: --view "function name(address) view returns (address)"',
    })
  if (failed > 0)
    doubts.push({
      question: `${label} fails for ${failed} of ${failed + parents.size} addresses that took part, whose referrers it does not tell. Is there another view?`,
      settle:
        'If so: --view "function name(address) view returns (address)". If not, they are shown as without a referrer',
    })
  const others = judgements.filter(
    (one) => one !== best && one.refused === undefined && (differs(one, best) || isPart(one, best)),
  )
  for (const other of others.slice(0, 3))
    doubts.push({
      question: `${labelOf(other.way)} returns ${differs(other, best) ? 'other addresses' : 'fewer addresses'} than ${label}, which may be another relation, such as a place in a matrix, or a wish that was not accepted. Is ${label} right?`,
      settle: `If not: --view '${JSON.stringify(shorten(other.way.config))}'`,
    })
  const tops = new Set(bound.map((one) => parents.get(one)).filter((one) => one && !parents.get(one)))
  findings.push({
    about: 'roots',
    text: `${tops.size} of the seen referrers ${tops.size === 1 ? 'has' : 'have'} no referrer: ${[...tops].slice(0, 3).join(', ')}${tops.size > 3 ? ', …' : ''}`,
    evidence: `among ${people.members.length} addresses`,
    level: 'found',
  })
  if (fallback)
    findings.push({
      about: 'roots',
      text: `${fallback} means "no referrer"`,
      evidence: `${label} returns it even for addresses that never took part`,
      level: 'found',
    })
}

function reasonOf({ config }: Way): string {
  if ('slot' in config) return 'It is private, so nothing names it.'
  return /function 0x/.test(config.view) ? 'Its name is not known.' : 'The view returns several addresses.'
}

const differs = (one: Judgement, best: Judgement) =>
  one.bound.filter((member) => best.parents.get(member) && one.parents.get(member) !== best.parents.get(member))
    .length *
    10 >
  one.bound.length

/** Returns whether a view without a known name has rivals that return none for some of its members. */
const isPart = (one: Judgement, best: Judgement) =>
  best.way.rank === undefined && best.bound.filter((member) => !one.parents.get(member)).length * 10 > best.bound.length

function noteNoView({ findings, doubts, people, code }: Case, judgements: readonly Judgement[]): void {
  const views = code.functions.filter(({ kind, inputs }) => kind === 'view' && inputs.includes('address')).length
  const reasons = judgements.slice(0, 4).map(({ way, refused }) => `${labelOf(way)}: ${refused}`)
  findings.push({
    about: 'parent',
    text: 'no view and no storage of the contract leads from a member to a referrer',
    evidence:
      people.members.length === 0
        ? 'no address is known that took part'
        : [`${views} views that take an address were called for ${people.members.length} addresses`, ...reasons].join(
            '; ',
          ),
    level: 'missing',
  })
  if (people.members.length === 0)
    doubts.push({
      question: 'Who has used the contract? No log and no transaction within reach names an address.',
      settle: 'Write some addresses into a file, one in each line: --members FILE',
    })
}

function fromReading(known: Case, best: Judgement, reading: BindReading, missing: number): Entry {
  const { event, member, referrer, where, members, first, last } = reading
  const agreeing = Math.max(first, last)
  const label = labelOf(best.way)
  const condition = Object.entries(where)
    .map(([name, value]) => `, only with ${name} ${value}`)
    .join('')
  known.findings.push(
    {
      about: 'binds',
      text: `${event.text}${condition}`,
      evidence: `${event.logs.length} logs, which bind ${reading.bound.size} members`,
      level: 'found',
    },
    {
      about: 'order',
      text: `${member} is the member, ${referrer} its referrer`,
      evidence: `${agreeing} of ${members} members confirm ${label}`,
      level: members < 3 ? 'guess' : 'found',
    },
  )
  if (members < 3)
    known.doubts.push({
      question: `Only ${members} members show the order. Is ${member} the member?`,
      settle:
        'Look at a transaction of the contract: its sender is the member. Inspect again when there are more binds.',
    })
  noteOtherValues(known, reading)
  if (missing > 0)
    known.doubts.push({
      question: `${missing} members have a referrer but no such event. Were they imported?`,
      settle: 'If so, write "candidates" with this event in place of it: the contract is asked then',
    })
  if (known.sample.extent !== 'all')
    known.doubts.push({
      question: `Only ${known.sample.blocks} blocks were looked at. Are there binds without this event?`,
      settle:
        'The reader compares members with the contract all the time and warns: see "referrers_differ" in /v1/status',
    })
  known.findings.push({
    about: 'changes',
    text: last > first ? 'a later event moves a member' : 'the first event of a member counts',
    evidence:
      last === first
        ? 'no member has two events with different referrers'
        : `first events agree for ${first}, last events for ${last} of ${members} members`,
    level: 'found',
  })
  return { ...writeBind(reading), ...(last > first && { rebind: 'last' }) }
}

/** Asks whether a condition leads to the wanted one of several communities: without it, the event binds others too. */
function noteOtherValues({ doubts }: Case, { event, member, referrer, where, bound }: BindReading): void {
  const [condition] = Object.entries(where)
  const whole = readAsBinds(event, new Map()).find(
    (one) => one.member === member && one.referrer === referrer && Object.keys(one.where).length === 0,
  )
  const others = [...(whole?.bound ?? [])].filter((one) => !bound.has(one))
  if (!condition || others.length === 0) return
  const [name, value] = condition
  doubts.push({
    question: `Logs with another ${name} name ${others.length} members who are not in this community. Is it the one with ${name} ${value}?`,
    settle: `If not, write its ${name} into "where", and into "args" of "parent" if the view takes it`,
  })
}

function noteUncovered({ findings, doubts }: Case, reading: BindReading, missing: number, { bound }: Judgement): void {
  doubts.push({
    question: `${missing} of ${bound.length} members were bound without the event, as in a constructor, an import or an earlier contract. Are there others that no log of this one names?`,
    settle:
      'If so, write their addresses into members.csv beside the configuration, one in each line, and add { "file": "members.csv" } to "candidates"; or those of the earlier contract: { "address": "0x…", "event": "…", "members": […] }, with its first block as "startBlock"',
  })
  findings.push({
    about: 'binds',
    text: `${reading.event.text} is not enough`,
    evidence: `${missing} of ${bound.length} members have a referrer without such an event`,
    level: 'found',
  })
}

function noteSilent({ findings }: Case, silent: readonly CodeFunction[]): void {
  findings.push({
    about: 'binds',
    text: 'the contract also binds without its event, so it is asked',
    evidence: `${silent.map(describeFunction).join(', ')} changes the same storage and cannot emit it`,
    level: 'found',
  })
}

function noteContradictions({ findings }: Case, readings: readonly BindReading[]): void {
  const best = readings.toSorted((left, right) => agreement(right) - agreement(left))[0]
  if (!best || best.members === 0) return
  findings.push({
    about: 'binds',
    text: 'no event of the contract names members with their referrers',
    evidence: `the closest, ${best.event.text}, agrees with the contract for ${Math.max(best.first, best.last)} of ${best.members} members, and ${best.conflicts} of its logs name another referrer than before`,
    level: 'found',
  })
}

async function fromCandidates(known: Case, best: Judgement, silent: readonly CodeFunction[]): Promise<Entry> {
  const namings = chooseCandidates(known.events, best.bound)
  const named = new Set(namings.flatMap((one) => [...one.named]))
  const left = best.bound.filter((member) => !named.has(member))
  for (const { event, members, named: own } of namings)
    known.findings.push({
      about: 'candidates',
      text: `${event.text} of ${event.address === known.address.toLowerCase() ? 'the contract' : event.address} names them: ${members.join(', ')}`,
      evidence: `names ${own.size} of ${best.bound.length} members`,
      level: 'found',
    })
  if (namings.length === 0 || left.length > 0) noteUnnamed(known, left.length, best.bound.length)
  const candidates = namings.map(({ event, members }) => ({
    ...(event.address === known.address.toLowerCase() ? {} : { address: event.address }),
    ...{ event: event.text, members },
    ...('where' in event && { where: event.where }),
  }))
  // Where not all logs were read, the others may be named in the rest.
  const most = known.sample.extent === 'all' ? best.bound.length / 10 : best.bound.length / 2
  const file = left.length > most ? [{ file: 'members.csv' }] : []
  return { candidates: [...candidates, ...file], changes: await findChanges(known, best, silent) }
}

function noteUnnamed({ findings, doubts }: Case, left: number, bound: number): void {
  findings.push({
    about: 'candidates',
    text: left < bound ? 'not all members are named by logs' : 'no log names the members',
    evidence: `${left} of ${bound} known members are in no log that was read`,
    level: 'missing',
  })
  doubts.push({
    question: 'Who are the members? The logs do not tell.',
    settle:
      'Write their addresses into members.csv beside the configuration, one in each line, and "candidates": [{ "file": "members.csv" }]. ' +
      'If members call the contract themselves, [{ "calls": true }] finds new ones too, but requests every block with its transactions',
  })
}
