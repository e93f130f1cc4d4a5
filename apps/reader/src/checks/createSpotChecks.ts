import { type Community, sentinels, zeroAddress } from '@lineage/communities'
import { describeError, type ReaderReport } from '@lineage/database'
import type { SpotCheck, Warning } from '@lineage/referral-api'
import type { Address } from 'viem'
import { bytesToHex } from 'viem/utils'
import type { ParentAnswer } from '../asked/readParents.ts'
import type { Source } from '../follow.ts'
import type { Log } from '../log.ts'
import {
  type Comparison,
  createFinding,
  type Finding,
  findEventsFault,
  isBlocking,
  noteCandidate,
  noteChecked,
  noteComparison,
  toSpotCheck,
  toWarnings,
} from './finding.ts'
import type { CheckQueries } from './queries.ts'

export type SpotChecksParameters = {
  queries: CheckQueries
  /** Reads a member's referrer at a block from the contract. */
  readParent: (community: Community, member: Address, block: number) => Promise<ParentAnswer>
  hasCode: (address: Address) => Promise<boolean>
  /** Returns the block in which a contract was deployed, if it was before a block. */
  findDeployment: (address: Address, before: number) => Promise<number | 'unknown' | undefined>
  log: Log
}

/** Number of members, and of referrers without a bind, in the first check and in each later one. */
const samples = { first: { members: 24, unbound: 6 }, later: { members: 4, unbound: 1 } }
/** Milliseconds after which the checks of a community count as failed: a slow node must not delay all answers. */
const patience = 10_000

type Entry = { source: Source; finding: Finding; members: 'none' | 'some'; state: 'unchecked' | 'checked' }

/**
 * Creates the checks that compare referrers with the contract's view and look for events that could not be decoded.
 * The first check of a source runs before it is served, because nothing else would detect a configuration with member
 * and referrer swapped.
 */
export function createSpotChecks(parameters: SpotChecksParameters) {
  const { log } = parameters
  const entries = new Map<number, Entry>()
  const logged = new Set<string>()

  const warnings = (): Warning[] =>
    [...entries.values()].flatMap(({ source, finding, members }) =>
      toWarnings(source.community, finding, members === 'some' ? 1 : 0),
    )

  function logNewWarnings(): void {
    for (const { community, kind, message } of warnings()) {
      if (logged.has(`${community} ${kind}`)) continue
      logged.add(`${community} ${kind}`)
      log(message, 'warn')
    }
  }

  async function checkFirst(entry: Entry): Promise<void> {
    const checking = checkSource(parameters, entry, 'first').catch((error) =>
      log(`The first members cannot be checked: ${describeError(error)}`, 'warn'),
    )
    await Promise.race([checking, new Promise((resolve) => setTimeout(resolve, patience))])
    entry.state = 'checked'
  }

  return {
    /** Returns whether the first members of a source were checked. */
    state: ({ row }: Source) => entries.get(row.id)?.state ?? 'unchecked',
    /** Returns the result of the first check of a source. Only a member who agrees, or no view to compare with, passes. */
    outcome({ community, row }: Source): ReaderReport['checks'][number]['state'] {
      const entry = entries.get(row.id)
      if (entry?.state !== 'checked') return 'running'
      if (toWarnings(community, entry.finding, 1).some(isBlocking)) return 'withheld'
      return entry.finding.order === 'confirmed' || community.parents.length === 0 ? 'passed' : 'unconfirmed'
    },
    warnings,
    /** Returns the communities that must not be served, each with the reason. */
    withheld: () =>
      warnings().flatMap((found) => {
        const { community, message } = found
        return community !== null && isBlocking(found) ? [{ community, message }] : []
      }),
    spotChecks: (): SpotCheck[] =>
      [...entries.values()].flatMap(({ source: { community }, finding }) =>
        community.parents.length === 0 ? [] : toSpotCheck(community.id, finding),
      ),
    /** Checks sources for the first time. */
    async checkNew(sources: readonly Source[]): Promise<void> {
      const added = sources
        .filter(({ row }) => !entries.has(row.id))
        .map((source): Entry => ({ source, finding: createFinding(), members: 'none', state: 'unchecked' }))
      for (const entry of added) entries.set(entry.source.row.id, entry)
      await Promise.all(added.map(checkFirst))
      if (added.length > 0) logNewWarnings()
    },
    /** Checks sources once more. */
    async checkAgain(sources: readonly Source[]): Promise<void> {
      for (const entry of entries.values())
        if (sources.includes(entry.source)) await checkSource(parameters, entry, 'later')
      logNewWarnings()
    },
  }
}

type Round = keyof typeof samples

async function checkSource(parameters: SpotChecksParameters, entry: Entry, round: Round): Promise<void> {
  const { source, finding } = entry
  const { queries, hasCode } = parameters
  const kinds = await queries.listKinds(source)
  entry.members = kinds.includes('bind') ? 'some' : 'none'
  finding.fault = await findEventsFault(source, { kinds, hasCode })
  if (entry.members === 'none') return
  const { address, startBlock, asked, parents } = source.community
  if (!asked) {
    // Later binds count only for themselves: no visitor of the contract may have its community withheld.
    if (round === 'first') finding.shares = await queries.readShares(source)
    if (round === 'first') finding.deployed = await parameters.findDeployment(address, startBlock)
  }
  if (parents.length === 0) return
  const overdue = setTimeout(noteChecked, patience, finding)
  try {
    if (asked && (await checkStranger(parameters, entry))) await checkCandidates(parameters, entry, round)
    await checkMembers(parameters, entry, round)
  } finally {
    clearTimeout(overdue)
    noteChecked(finding)
  }
}

/**
 * Asks about an address that never took part, and returns whether the contract answers. The address is random, so that no
 * visitor of the contract can give it a referrer.
 */
async function checkStranger({ readParent }: SpotChecksParameters, { source: { community, row }, finding }: Entry) {
  const stranger = bytesToHex(crypto.getRandomValues(new Uint8Array(20)))
  const found = await readParent(community, stranger, row.block).catch(() => undefined)
  if (found !== undefined) finding.invented = toReferrer(community, found)
  return found !== undefined
}

/** Asks about some candidates that have no referrer so far, and again about those for whom the contract's view failed. */
async function checkCandidates({ queries, readParent }: SpotChecksParameters, entry: Entry, round: Round) {
  const { source, finding } = entry
  const sample = await queries.sampleOpen(source, samples[round].unbound)
  for (const address of new Set([...finding.failing, ...sample])) {
    const found = await readParent(source.community, address, source.row.block).catch(() => undefined)
    noteCandidate(finding, address, found === undefined ? 'fails' : 'answers')
  }
}

async function checkMembers(parameters: SpotChecksParameters, { source, finding }: Entry, round: Round) {
  const { queries } = parameters
  const { members, unbound } = samples[round]
  const withoutBind = await queries.sampleUnbound(source, unbound)
  const sample = [...(await queries.sampleMembers(source, members)), ...withoutBind].filter(
    (address) => toReferrer(source.community, address) !== null,
  )
  let strangers = 0
  const counts = { agrees: 0, differs: 0, opposite: 0, unreadable: 0, gone: 0 }
  for (const member of new Set([...finding.differing.keys(), ...sample])) {
    const outcome = await checkMember(parameters, source, finding, member)
    counts[outcome]++
    if (!withoutBind.includes(member) || !['agrees', 'differs'].includes(outcome)) continue
    strangers++
    if (round === 'first') finding.strangers.checked++
    if (round === 'first' && outcome === 'differs') finding.strangers.bound++
  }
  const checked = counts.agrees + counts.differs + counts.opposite
  finding.unreadable += counts.unreadable
  finding.last = { checked, unreadable: counts.unreadable }
  // A referrer without a bind has no opposite.
  if (counts.opposite > counts.agrees + counts.differs - strangers) finding.order = 'swapped'
}

async function checkMember(
  parameters: SpotChecksParameters,
  source: Source,
  finding: Finding,
  member: Address,
): Promise<Comparison['outcome'] | 'opposite'> {
  const compare = async () => noteComparison(finding, member, await compareReferrer(parameters, source, member))
  let comparison = await compare()
  // The chain may have been reorganised between reading the tables and reading the contract.
  if (comparison.outcome === 'differs') comparison = await compare()
  // Once the order is confirmed, a member who differs has moved to another referrer.
  if (comparison.outcome !== 'differs' || finding.order === 'confirmed' || !comparison.referrer)
    return comparison.outcome
  const above = await parameters
    .readParent(source.community, comparison.referrer, source.row.block)
    .catch(() => undefined)
  return above !== undefined && (above ?? zeroAddress) === member ? 'opposite' : 'differs'
}

/** Compares the referrer of a member, or of a referrer without a bind, with the one in the contract. */
async function compareReferrer(
  { queries, readParent }: SpotChecksParameters,
  source: Source,
  member: Address,
): Promise<Comparison> {
  const { community, row } = source
  const block = row.block
  const known = await queries.readReferrer(source, member)
  const referrer = toReferrer(community, known ?? null)
  const onChain = await readParent(community, member, block).catch(() => undefined)
  if (onChain === undefined) return { outcome: 'unreadable' }
  const expected = toReferrer(community, onChain)
  // Roots of many contracts are their own referrers.
  const isOwnReferrer = known === undefined && expected === member
  const agrees =
    expected === referrer ||
    isOwnReferrer ||
    // A contract refuses a bind to a member below, and so does the forest.
    (expected === null && (await queries.isInLoop(source, member)))
  return agrees ? { outcome: 'agrees', referrer } : { outcome: 'differs', referrer, onChain: onChain ?? zeroAddress }
}

/** Returns `null` for the addresses that stand for no referrer. */
function toReferrer({ roots }: Community, address: Address | null): Address | null {
  const lower = address?.toLowerCase() as Address | undefined
  if (!lower || sentinels.includes(lower) || roots.some((root) => root.toLowerCase() === lower)) return null
  return lower
}
