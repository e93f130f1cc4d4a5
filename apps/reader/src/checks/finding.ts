import type { Community } from '@lineage/communities'
import type { SpotCheck, Warning } from '@lineage/referral-api'
import { type Address, getAddress } from 'viem'
import type { EventsFault } from './findEventsFault.ts'

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
  /** Results of the last round. */
  last: { checked: number; unreadable: number }
  /**
   * `unconfirmed`: no check agreed or finished in time. `confirmed`: the contract returned the same referrer.
   * `swapped`: it returns the opposite of the events.
   */
  order: 'unchecked' | 'unconfirmed' | 'confirmed' | 'swapped'
  fault: EventsFault | undefined
}

const maxDiffering = 50

export const createFinding = (): Finding => ({
  checked: 0,
  unreadable: 0,
  differing: new Map(),
  last: { checked: 0, unreadable: 0 },
  order: 'unchecked',
  fault: undefined,
})

/** Records a member who differs, and removes one who does not differ any more. Returns the comparison. */
export function noteComparison(finding: Finding, member: Address, comparison: Comparison): Comparison {
  const { differing } = finding
  const { outcome } = comparison
  // Some views return nothing for a root.
  if (outcome === 'agrees' && comparison.referrer !== null && finding.order !== 'swapped') finding.order = 'confirmed'
  if (outcome === 'agrees' || outcome === 'gone') differing.delete(member)
  else if (outcome === 'differs' && (differing.size < maxDiffering || differing.has(member)))
    differing.set(member, { referrer: comparison.referrer, onChain: comparison.onChain })
  return comparison
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

function toUnchecked({ id, binds, parents }: Community, { last, order }: Finding): Warning[] {
  const base = { node: null, community: id }
  const warnings: Warning[] = []
  if (last.unreadable > 0)
    warnings.push({
      ...base,
      kind: 'parent_view_unreadable',
      message: `Community "${id}": the contract's view returned nothing for ${last.unreadable} of ${last.checked + last.unreadable} members that were checked last. Check "parent", and that the nodes answer eth_call.`,
    })
  const [bind] = binds
  if (bind && (order === 'unconfirmed' || (order === 'unchecked' && parents.length === 0)))
    warnings.push({
      ...base,
      kind: 'order_unconfirmed',
      message: `Community "${id}": nothing confirms that "${bind.member}" is the member and "${bind.referrer}" the referrer: ${parents.length > 0 ? 'no check of "parent" agreed' : 'there is no "parent"'}. ${parents.length > 0 ? 'Correct it' : 'Configure one'}, or compare a few transactions of the contract.`,
    })
  return warnings
}

function toFault(community: Community, finding: Finding): Warning | undefined {
  const { id, binds, rebind } = community
  const base = { node: null, community: id }
  if (finding.order === 'swapped')
    return {
      ...base,
      kind: 'arguments_swapped',
      message: `Community "${id}": member and referrer seem to be swapped, since the contract's view returns the opposite. The configuration reads "${binds[0]?.member}" as the member and "${binds[0]?.referrer}" as the referrer. The community is not served until this is corrected.`,
    }
  if (finding.fault) return { ...base, ...finding.fault }
  const example = toExample(finding)
  if (!example) return undefined
  const { address, onChain } = example
  const count = `${finding.differing.size} of ${finding.checked} checked members`
  const hint = rebind === 'first' ? ' Does the contract move members (rebind: "last")?' : ''
  return {
    ...base,
    kind: 'referrers_differ',
    message: `Community "${id}": the contract returns another referrer than the events for ${count}, such as ${address}: ${onChain} instead of ${example.referrer ?? 'none'}.${hint}`,
  }
}

/** Returns whether a community must not be served with this warning. */
export const isBlocking = ({ kind }: Warning): boolean => kind === 'arguments_swapped'

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
