import { bindPresets } from '@lineage/communities'
import { type AbiEvent, type Address, parseAbiItem } from 'viem'
import {
  type BindReading,
  fewChanges,
  findDivision,
  isNoBind,
  namesItself,
  pairsOf,
  readAsBinds,
  writeBind,
} from './compareBinds.ts'
import type { Case, Entry } from './Inspection.ts'
import { areContracts, arePlaces, listAbove } from './judgeWays.ts'
import { addressesIn, eventsInCode, type FoundEvent, wordOf } from './matchEvents.ts'

/** Chooses a bind event without a view that confirms it, by its signature, the senders and how often members are named. */
export async function readFromEvents(known: Case): Promise<Entry | undefined> {
  const events = known.events.filter((event) => !event.where && !isNoBind(event))
  const named = events.filter(({ meanings }) => meanings.some(({ role }) => role === 'bind'))
  const unnamed = events.filter(isUnnamed)
  for (const event of [...named, ...unnamed]) {
    const reading = orderByLogs(known, event)
    if (!reading) continue
    if (event.meanings.length === 0 && areOwn(reading)) {
      if (await areContracts(known.nodes, [...referrersIn(reading)], new Map())) {
        noteOwn(known, reading)
        continue
      }
      doubtOwn(known, reading)
    }
    const main = note(known, event, reading)
    if (reading.conflicts > 0) Object.assign(main, noteConflicts(known, reading))
    const more = listFurther(known, reading)
    const roots = namesItself(reading) ? { roots: [known.address] } : {}
    return { ...main, ...roots, ...(more.length > 0 && { more: { binds: more } }) }
  }
  return readFromCode(known)
}

/**
 * Asks about an event that names a second referrer for some members. If an argument separates several communities in its
 * logs, returns the condition (`where`) for the largest one.
 */
function noteConflicts({ findings, doubts }: Case, reading: Ordered): Entry {
  const { event, conflicts, where } = reading
  const named = `${conflicts} of ${event.logs.length} logs name another referrer for a member that has one.`
  const division = Object.keys(where).length > 0 ? undefined : findDivision(reading)
  if (!division) {
    doubts.push({
      question: `${named} Does the first one count?`,
      settle: 'If a later one moves the member: "rebind": "last". Compare a member with the contract’s own page',
    })
    return {}
  }
  const { name, value, values, logs } = division
  findings.push({
    about: 'binds',
    text: `only with ${name} ${value}: the event belongs to ${values} communities`,
    evidence: `${conflicts} logs name another referrer for a member that has one, and none with the same ${name}; ${logs} of ${event.logs.length} logs have this one`,
    level: 'guess',
  })
  doubts.push({
    question: `${named} Does ${name} tell communities apart, and is it the one with ${value}?`,
    settle: `If it is another one, write its ${name} into "where". If a later log moves the member, leave "where" out, and write "rebind": "last"`,
  })
  return { where: { [name]: value } }
}

/** Lists the other bind events, as after an upgrade, that name members whom the chosen one does not. */
function listFurther(known: Case, chosen: Ordered): Entry[] {
  const parents = parentsOf(chosen)
  const further: Entry[] = []
  for (const event of known.events) {
    const isNamed = event.meanings.some(({ role }) => role === 'bind')
    if (event === chosen.event || event.where || !(isNamed || isUnnamed(event))) continue
    const reading = orderByLogs(known, event)
    if (!reading) continue
    const own = parentsOf(reading)
    const added = [...own].filter(([member]) => !parents.has(member))
    const moved = countMoved(parents, reading)
    const isBind = isNamed || (reading.repeats === 0 && isInside(parents, reading))
    if (added.length > 0 && moved === 0 && isBind) {
      for (const [member, referrer] of added) parents.set(member, referrer)
      further.push(note(known, event, reading))
    } else if (added.length > 0) noteOther(known, event, moved)
    // Rewards name several referrers of a member, and bind no one.
    else if (reading.conflicts === 0 || isNamed) noteMoves(known, parents, reading)
  }
  return further
}

type Parents = ReadonlyMap<Address, Address>

const countMoved = (parents: Parents, reading: BindReading): number =>
  [...parentsOf(reading)].filter(([member, referrer]) => (parents.get(member) ?? referrer) !== referrer).length

/** Returns whether most referrers that an event names are members, or members of the event itself. */
function isInside(parents: Parents, reading: BindReading): boolean {
  const referrers = [...referrersIn(reading)]
  return referrers.filter((one) => parents.has(one) || reading.bound.has(one)).length * 2 >= referrers.length
}

/** Asks whether an event moves members, if one of its arguments is another member than the referrer of each. */
function noteMoves({ doubts }: Case, parents: Parents, { event, member, where }: Ordered): void {
  const readings = readAsBinds(event, new Map(), [where]).filter((one) => one.member === member)
  const count = Math.max(...readings.filter((one) => isInside(parents, one)).map((one) => countMoved(parents, one)), 0)
  if (count === 0) return
  doubts.push({
    question: `Does ${event.text} move members? It names another address for ${count} of those that have a referrer.`,
    settle:
      'Look at a transaction with it. If so, name it under "more": { "binds": [ … ] }, and write "rebind": "last"',
  })
}

const isUnnamed = (event: FoundEvent) =>
  event.meanings.length === 0 && event.item.name.startsWith('0x') && !isNoBind(event)

/** Returns the first referrer that an event names for each member. */
const parentsOf = (reading: BindReading) => new Map(pairsOf(reading).toReversed())

function noteOther({ findings, doubts }: Case, { text, logs }: FoundEvent, moved: number): void {
  findings.push({
    about: 'binds',
    text: `${text} is left out`,
    evidence: `${logs.length} logs, ${moved > 0 ? `which name another referrer for ${moved} members` : 'of which nothing shows that they bind'}`,
    level: 'missing',
  })
  doubts.push({
    question: `Does ${text} bind members too? It also names members that no other event does.`,
    settle: 'Look at a transaction with it. If so, name it under "more": { "binds": [ … ] }',
  })
}

type Ordered = BindReading & {
  evidence: string
  level: 'found' | 'guess'
  /** Other arguments that may be the referrer as well. */
  others: string[]
}

/** Finds out which argument is the member: the sender of the transaction, or the one with a single referrer. */
function orderByLogs({ people }: Case, event: FoundEvent): Ordered | undefined {
  const meaning = event.meanings.find(({ role }) => role === 'bind')
  const all = readAsBinds(event, new Map(), [firstLevel(event, meaning)])
  const readings = [...Map.groupBy(all, ({ member }) => member).values()]
    .flatMap(withoutAbove)
    .toSorted((left, right) => left.repeats - right.repeats || rankOf(right) - rankOf(left))
  const scored = readings.map((reading) => ({ reading, ...score(reading, people.senders) }))
  const [best] = scored.toSorted((left, right) => right.sent - left.sent)
  const [single] = readings
  if (!best || !single) return undefined
  const { sent, checked } = best
  const { member } = best.reading
  const declared = meaning && readings.find((one) => isDeclared(meaning, one))
  const isSent = checked >= 3 && sent * 10 >= checked * 8
  if (isSent && scored.every((one) => one.reading.member === member || one.sent < sent)) {
    const reading = declared?.member === member ? declared : best.reading
    const others = othersOf(reading, readings)
    const evidence = `${sent} of ${checked} senders are the ${member}`
    return (
      orderContrary(reading, readings) ?? { ...reading, evidence, level: others.length > 0 ? 'guess' : 'found', others }
    )
  }
  if (meaning) {
    const reading = declared ?? best.reading
    const evidence = 'so the event is mostly used; nothing confirms it'
    return orderContrary(reading, readings) ?? { ...reading, evidence, level: 'guess', others: [] }
  }
  const evidence = `each ${single.member} is named once, and most referrers are members`
  return single.repeats === 0 && single.bound.size >= 5 && isForest(single)
    ? { ...single, evidence, level: 'guess', others: othersOf(single, readings) }
    : undefined
}

/**
 * Returns the opposite of a reading if only in this one members have several referrers: a referrer may send the binds of those
 * whom it invites.
 */
function orderContrary(reading: BindReading, readings: readonly BindReading[]): Ordered | undefined {
  const contrary = readings.find(({ member, referrer }) => member === reading.referrer && referrer === reading.member)
  const isLikely = reading.conflicts > fewChanges || reading.conflicts * 4 > reading.bound.size
  if (!contrary || contrary.conflicts > 0 || !isLikely) return undefined
  const evidence = `each ${contrary.member} has one referrer, and a ${reading.member} has several`
  return { ...contrary, evidence, level: 'guess', others: [] }
}

/** Leaves out the readings that name the referrer of the referrer. */
function withoutAbove(readings: readonly BindReading[]): BindReading[] {
  const relations = readings.map((reading) => ({ reading, parents: parentsOf(reading) }))
  const above = listAbove(relations)
  return relations.flatMap((one) => (above.includes(one) ? [] : one.reading))
}

/** Returns how likely an argument is the referrer: no account made for each member, a member itself, and no place in a tree. */
function rankOf(reading: BindReading): number {
  const isPlace = arePlaces(pairsOf(reading).map(([, referrer]) => referrer))
  return (areOwn(reading) ? 0 : 4) + (isForest(reading) ? 2 : 0) + (isPlace ? 0 : 1)
}

/** Lists the other arguments that may be the referrer of the same member. */
function othersOf(reading: BindReading, readings: readonly BindReading[]): string[] {
  const { event, member, referrer, repeats } = reading
  if (event.meanings.length > 0) return []
  return readings
    .filter((one) => one.member === member && one.referrer !== referrer && one.repeats <= repeats)
    .filter((one) => !areOwn(one) && isForest(one))
    .map((one) => one.referrer)
}

/** Returns the condition for the first level of rewards if the known event has levels: contracts count them from 0 or from 1. */
function firstLevel({ item, logs }: FoundEvent, meaning: FoundEvent['meanings'][number] | undefined) {
  if (meaning?.role !== 'bind') return {}
  const { where = {} } = ('preset' in meaning ? bindPresets[meaning.preset] : meaning) as { where?: object }
  const place = (parseAbiItem(meaning.event) as AbiEvent).inputs.findIndex(({ name = '' }) => name in where)
  const name = item.inputs[place]?.name
  return name ? { [name]: Math.min(...logs.map((log) => Number(wordOf(log, item, name)))) } : {}
}

function isDeclared(meaning: FoundEvent['meanings'][number], { event, member, referrer }: BindReading): boolean {
  if ('preset' in meaning) {
    const [first, second] = event.item.inputs
    const isReversed = presetOrder(meaning.preset) === 'referrerFirst'
    return member === (isReversed ? second : first)?.name && referrer === (isReversed ? first : second)?.name
  }
  return meaning.role === 'bind' && meaning.member === member && meaning.referrer === referrer
}

function score({ event, member }: BindReading, senders: ReadonlyMap<string, Address>) {
  const sent = event.logs.flatMap((log) => {
    const sender = senders.get(log.transactionHash)
    return sender ? [addressesIn(log, event, member)[0] === sender] : []
  })
  return { sent: sent.filter(Boolean).length, checked: sent.length }
}

const referrersIn = ({ event, referrer }: BindReading) =>
  new Set(event.logs.flatMap((log) => addressesIn(log, event, referrer)))

function isForest(reading: BindReading): boolean {
  const referrers = referrersIn(reading)
  return [...referrers].filter((one) => reading.bound.has(one)).length * 2 >= referrers.size
}

/** Returns whether each member has a referrer of its own, and none of these is a member, as with accounts made for each. */
function areOwn(reading: BindReading): boolean {
  const { bound } = reading
  const referrers = referrersIn(reading)
  return bound.size >= 5 && referrers.size >= bound.size && ![...referrers].some((one) => bound.has(one))
}

function noteOwn({ findings }: Case, { event, referrer, bound }: BindReading): void {
  findings.push({
    about: 'binds',
    text: `${event.text} is no bind`,
    evidence: `each of ${bound.size} addresses has another ${referrer}, and most of these are contracts`,
    level: 'missing',
  })
}

function doubtOwn({ doubts }: Case, { event, referrer, bound }: BindReading): void {
  doubts.push({
    question: `Each of ${bound.size} members has a ${referrer} of its own, which is no member. Are these referrers, or accounts that were made for the members?`,
    settle: `Look at a transaction with ${event.text}. If they are accounts, it is no bind`,
  })
}

function note(known: Case, event: FoundEvent, { evidence, level, others, ...reading }: Ordered): Entry {
  const { member, referrer, bound } = reading
  const isNamed = event.meanings.length > 0
  known.findings.push(
    {
      about: 'binds',
      text: event.text,
      evidence: `${event.logs.length} logs, ${bound.size} members`,
      level: isNamed ? 'found' : 'guess',
    },
    { about: 'order', text: `${member} is the member, ${referrer} its referrer`, evidence, level },
  )
  if (!isNamed)
    known.doubts.push({
      question: `Does ${event.text} bind a member to a referrer? Its name is not known.`,
      settle: 'Look at a transaction with it on a block explorer. If it is another event: --event "event Name(…)"',
    })
  known.doubts.push({
    question: `No view confirms that ${member} is the member. Is it?`,
    settle:
      'Look at some transactions: the sender is the member, unless one account sends for all, or referrers for those they invite. If not, swap "member" and "referrer", or set "order" to the other value',
  })
  if (others.length > 0)
    known.doubts.push({
      question: `The logs also name ${others.join(' and ')}, which may be the referrer as well as ${referrer}: one of them may be a place in a tree. Is ${referrer} right?`,
      settle: 'Compare a member with the contract’s own page. If it is another one, write it into "referrer"',
    })
  return writeBind({ ...reading, event })
}

/** Chooses a bind event whose topic is in the code, because no log is within reach. */
function readFromCode(known: Case): Entry | undefined {
  if (known.sample.logs.length > 0) return undefined
  const meaning = eventsInCode(known.code.words).find(({ role }) => role === 'bind')
  if (meaning?.role !== 'bind') return undefined
  known.findings.push({
    about: 'binds',
    text: meaning.event,
    evidence: 'its topic is in the code; no log of it was read',
    level: 'guess',
  })
  known.doubts.push({
    question: `Which arguments of ${meaning.event} are indexed, and which is the member?`,
    settle: 'Inspect again with a node that serves logs: --rpc URL',
  })
  if ('preset' in meaning) return { preset: meaning.preset, order: presetOrder(meaning.preset) }
  return { event: meaning.event, member: meaning.member, referrer: meaning.referrer }
}

const presetOrder = (preset: string) =>
  ['refBonus', 'newReferralLevel'].includes(preset) ? 'referrerFirst' : 'memberFirst'
