import type { Community } from '@lineage/communities'
import { type EventKind, eventKinds } from '@lineage/database'
import type { SpotCheck, Warning } from '@lineage/referral-api'
import type { Address } from 'viem'
import { getAddress } from 'viem/utils'
import { describeUnreadable, type Source } from '../follow.ts'

/** Result of comparing a member's referrer with the contract's view. `gone`: no longer a member. */
export type Comparison =
  | { outcome: 'unreadable' | 'gone' }
  | { outcome: 'agrees'; referrer: Address | null }
  | { outcome: 'differs'; referrer: Address | null; onChain: Address }

/** Results of the spot checks of one community. */
export type Finding = {
  checked: number
  unreadable: number
  /** Members for whom the contract returns another referrer. */
  differing: Map<Address, { referrer: Address | null; onChain: Address }>
  /** Candidates without a referrer for whom the view fails, although it answers for strangers. */
  failing: Set<Address>
  /** Results of the last round. */
  last: { checked: number; unreadable: number }
  /** `unconfirmed`: no check agreed in time. `confirmed`: the contract returned the same referrer. `swapped`: the opposite. */
  order: 'unchecked' | 'unconfirmed' | 'confirmed' | 'swapped'
  fault: EventsFault | undefined
  /** Referrers without a bind that were asked of the contract, and those of whom it has a referrer. */
  strangers: { checked: number; bound: number }
  /** Referrer that the contract last returned for an address that never took part. */
  invented: Address | null
  shares: Shares | undefined
  /** Block in which the contract was deployed, if that is before the first block that is read. */
  deployed: number | 'unknown' | undefined
}

/** How the first binds of a community look: numbers of different ones. */
export type Shares = { pairs: number; members: number; referrers: number; unbound: number }

const maxDiffering = 50

export const createFinding = (): Finding => ({
  checked: 0,
  unreadable: 0,
  differing: new Map(),
  failing: new Set(),
  last: { checked: 0, unreadable: 0 },
  order: 'unchecked',
  fault: undefined,
  strangers: { checked: 0, bound: 0 },
  invented: null,
  shares: undefined,
  deployed: undefined,
})

/** Records a member who differs, and removes one who does not differ any more. Returns the comparison. */
export function noteComparison(finding: Finding, member: Address, comparison: Comparison): Comparison {
  const { differing } = finding
  const { outcome } = comparison
  // A member who differs is checked again, but counts once.
  if ((outcome === 'agrees' || outcome === 'differs') && !differing.has(member)) finding.checked++
  // Some views return nothing for a root.
  if (outcome === 'agrees' && comparison.referrer !== null && finding.order !== 'swapped') finding.order = 'confirmed'
  if (outcome === 'agrees' || outcome === 'gone') differing.delete(member)
  else if (outcome === 'differs' && (differing.size < maxDiffering || differing.has(member)))
    differing.set(member, { referrer: comparison.referrer, onChain: comparison.onChain })
  return comparison
}

/** Records whether the view answers for a candidate without a referrer. */
export function noteCandidate({ failing }: Finding, address: Address, outcome: 'answers' | 'fails'): void {
  if (outcome === 'answers') failing.delete(address)
  else if (failing.size < maxDiffering) failing.add(address)
}

/** Records that checks have finished, or should have: an order that none of them confirmed is reported from now on. */
export function noteChecked(finding: Finding): void {
  if (finding.order === 'unchecked') finding.order = 'unconfirmed'
}

/** Converts the findings to warnings: the most serious fault, and the members that could not be checked. */
export function toWarnings(community: Community, finding: Finding, members: number): Warning[] {
  const fault = toFault(community, finding)
  const unchecked = members > 0 && finding.order !== 'swapped' ? toUnchecked(community, finding) : []
  return fault ? [fault, ...unchecked] : unchecked
}

function toUnchecked({ id, binds, parents }: Community, { last, failing, order }: Finding): Warning[] {
  const base = { node: null, community: id }
  const [bind] = binds
  const warnings: Warning[] = []
  if (last.unreadable > 0)
    warnings.push({
      ...base,
      kind: 'parent_view_unreadable',
      message: `Community "${id}": the contract's view returned nothing for ${last.unreadable} of ${last.checked + last.unreadable} members that were checked last. Check "parent", and that the nodes answer eth_call.`,
    })
  const [example] = failing
  if (example)
    warnings.push({
      ...base,
      kind: 'parent_view_unreadable',
      message: `Community "${id}": the contract's view fails for at least ${failing.size} candidates, such as ${getAddress(example)}, although it answers for strangers. They are shown without a referrer, or not at all. If the contract has another view, name it in "parent".`,
    })
  if (bind && (order === 'unconfirmed' || (order === 'unchecked' && parents.length === 0)))
    warnings.push({
      ...base,
      kind: 'order_unconfirmed',
      message: `Community "${id}": nothing confirms that "${bind.member}" is the member and "${bind.referrer}" the referrer: ${parents.length > 0 ? 'no check of "parent" agreed' : 'there is no "parent"'}. ${parents.length > 0 ? 'Correct it' : 'Configure one'}, or compare a few transactions of the contract.`,
    })
  return warnings
}

function toFault(community: Community, finding: Finding): Warning | undefined {
  const { id, binds, rebind, asked } = community
  const base = { node: null, community: id }
  if (finding.order === 'swapped')
    return {
      ...base,
      kind: 'arguments_swapped',
      message: `Community "${id}": member and referrer seem to be swapped, since the contract's view returns the opposite. The configuration reads "${binds[0]?.member}" as the member and "${binds[0]?.referrer}" as the referrer. The community is not served until this is corrected.`,
    }
  const refused =
    findInvention(community, finding) ?? findLateStart(community, finding) ?? findContradiction(community, finding)
  if (refused) return { ...base, ...refused }
  if (finding.fault) return { ...base, ...finding.fault }
  const example = toExample(finding)
  if (!example) return undefined
  const { address, onChain } = example
  const count = `${finding.differing.size} of ${finding.checked} checked members`
  const setting = asked ? 'changes: "any"' : 'rebind: "last"'
  const hint = rebind === 'first' ? ` Does the contract move members (${setting})?` : ''
  const advice = asked ? '' : ' If the events cannot tell the referrers, configure "candidates" and "parent".'
  return {
    ...base,
    kind: mostlyDiffer(finding) ? 'referrers_mostly_differ' : 'referrers_differ',
    message: `Community "${id}": the contract returns another referrer than ${asked ? 'before' : 'the events'} for ${count}, such as ${address}: ${onChain} instead of ${example.referrer ?? 'none'}.${hint}${mostlyDiffer(finding) ? ` That is more than a quarter: the community is not served until this is corrected.${advice}` : ''}`,
  }
}

/**
 * Returns whether more than a quarter of the members differ. Of 30 checked ones, so many differ in one of a hundred
 * communities with one wrong member in ten, and in 95 of a hundred with four.
 */
const mostlyDiffer = ({ differing, checked }: Finding) => differing.size >= 2 && differing.size * 4 > checked

type Refusal = Pick<Warning, 'kind' | 'message'>
const fewest = 8

/**
 * Finds out whether the binds say that the order of the arguments is wrong. A member has one referrer, so that in the right
 * order most members have one bind, while in the wrong one each referrer is named once and members have many. Binds that are
 * repeated with any referrers are no proof: a contract may emit the event of a bind that it refuses.
 */
function findContradiction({ id, binds }: Community, { shares, order }: Finding): Refusal | undefined {
  const [bind] = binds
  if (!shares || !bind || order === 'confirmed' || shares.pairs < fewest) return undefined
  const again = shares.pairs - shares.members
  const isOpposite = (shares.pairs - shares.referrers) * 10 < shares.pairs
  if (again * 4 <= shares.pairs || !isOpposite) return undefined
  const advice = `member and referrer seem to be swapped: "${bind.member}" is read as the member and "${bind.referrer}" as the referrer`
  return {
    kind: 'binds_contradict',
    message: `Community "${id}": ${again} of the first ${shares.pairs} binds name another referrer of a member that has one. Members have one referrer, so ${advice}. The community is not served until this is corrected.`,
  }
}

/** Finds out whether the contract returns a referrer for any address: then its answers do not tell who was referred. */
const findInvention = ({ id }: Community, { invented }: Finding): Refusal | undefined =>
  invented
    ? {
        kind: 'referrers_mostly_differ',
        message: `Community "${id}": the contract returns the referrer ${getAddress(invented)} even for an address that never took part. If it always returns this one for "no referrer", add it to "roots"; otherwise configure another "parent". The community is not served until this is corrected.`,
      }
    : undefined

/** Finds out whether binds before the first block are missing: referrers without a bind are bound in the contract. */
function findLateStart({ id, startBlock }: Community, finding: Finding): Refusal | undefined {
  const { strangers, shares, deployed } = finding
  const known = strangers.bound >= 2 && strangers.bound * 2 > strangers.checked
  const many = shares !== undefined && shares.unbound >= fewest && shares.unbound * 2 > shares.referrers
  if (deployed === undefined || !(known || (many && strangers.checked === 0 && deployed !== 'unknown')))
    return undefined
  const reason = known
    ? `the contract has a referrer of ${strangers.bound} of ${strangers.checked} referrers that have no bind since block ${startBlock}`
    : `${shares?.unbound} of ${shares?.referrers} referrers have no bind since block ${startBlock}`
  const advice =
    deployed === 'unknown'
      ? 'The nodes do not have the old states that would show when it was deployed: take the block of the transaction that created it from a block explorer'
      : `It was deployed in block ${deployed}: set startBlock to ${deployed}`
  return {
    kind: 'start_late',
    message: `Community "${id}": ${reason}, so that earlier binds are missing. ${advice}. The community is not served until this is corrected.`,
  }
}

const blocking: readonly Warning['kind'][] = [
  'arguments_swapped',
  'referrers_mostly_differ',
  'binds_contradict',
  'start_late',
]

/** Returns whether a community must not be served with this warning. */
export const isBlocking = ({ kind }: Warning): boolean => blocking.includes(kind)

export function toSpotCheck(community: string, finding: Finding): SpotCheck {
  const { checked, unreadable, differing } = finding
  return { community, checked, unreadable, differing: differing.size, example: toExample(finding) }
}

function toExample({ differing }: Finding): SpotCheck['example'] {
  const [first] = differing
  if (!first) return null
  const [address, { referrer, onChain }] = first
  return { address: getAddress(address), referrer: referrer && getAddress(referrer), onChain: getAddress(onChain) }
}

/** Reason why the tables lack events of a community. */
export type EventsFault = { kind: 'events_unreadable' | 'events_absent'; message: string }

export type EventsFaultParameters = {
  /** Kinds of events that the tables have. */
  kinds: readonly EventKind[]
  /** Returns whether there is a contract at an address. */
  hasCode: (address: Address) => Promise<boolean>
}

/** Finds out why events of a community are missing: there may be none, or they could not be decoded. */
export async function findEventsFault(
  { community, row }: Source,
  { kinds, hasCode }: EventsFaultParameters,
): Promise<EventsFault | undefined> {
  const { id, address, startBlock, binds, amounts, asked } = community
  if (row.unreadable > 0) {
    const sources = { bind: binds, ...amounts }
    const without = eventKinds.find((kind) => sources[kind].length > 0 && !kinds.includes(kind))
    const name = without && sources[without][0]?.event.name
    const message = name
      ? `Community "${id}": the contract's ${name} events do not have the configured arguments. Check which of them are indexed.`
      : describeUnreadable(community, row.unreadable)
    return { kind: 'events_unreadable', message }
  }
  if (kinds.includes('bind')) return undefined
  if (!(await hasCode(address).catch(() => true)))
    return toAbsent(id, `there is no contract at ${address}. Check the address.`)
  const [source] = [...binds, ...(asked?.candidates ?? [])]
  const reason = `the contract has emitted no ${source?.event.name} event since block ${startBlock}`
  return toAbsent(
    id,
    asked
      ? `${reason}, or no address in one has a referrer. Check the event, "parent" and startBlock.`
      : `${reason}. Check the event's name, the types of its arguments and startBlock.`,
  )
}

/** Returns the fault of a community whose first block does not exist yet, which nothing is read for. */
export function findStartFault({ community: { id, startBlock } }: Source, head: number): EventsFault | undefined {
  if (startBlock <= head) return undefined
  return toAbsent(id, `startBlock ${startBlock} is above the newest block, ${head}. Check it.`)
}

const toAbsent = (id: string, reason: string): EventsFault => ({
  kind: 'events_absent',
  message: `Community "${id}": ${reason}`,
})
