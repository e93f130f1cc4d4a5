import type { SpotCheck, Warning } from '@lineage/referral-api'
import type { Address } from 'viem'
import type { Community } from '../../../config/index.ts'
import { describeError } from '../lib/describeError.ts'
import type { IndexReader } from '../reader/createIndexReader.ts'
import type { IndexView } from '../reader/indexState.ts'
import { compareReferrer, isOpposite, type ReadReferrer } from './compareReferrer.ts'
import { type EventsFaultQueries, findEventsFault } from './findEventsFault.ts'
import {
  type Comparison,
  createFinding,
  type Finding,
  isBlocking,
  noteChecked,
  noteComparison,
  toSpotCheck,
  toWarnings,
} from './spotCheckFinding.ts'

export type SpotChecksParameters = {
  communities: readonly Community[]
  index: Pick<IndexReader, 'view' | 'status'>
  queries: EventsFaultQueries & {
    /** Samples at most `count` members from binds in these blocks. */
    sampleMembers: (community: string, blocks: { from: number; to: number }, count: number) => Promise<Address[]>
  }
  readReferrer: ReadReferrer
  log: (message: string) => void
}

/** Number of members per check. */
const samples = { first: 24, later: 4 }
const interval = 60_000
/** Milliseconds after which the checks of a community count as failed: a slow node must not delay all responses. */
const patience = 10_000

type Round = keyof typeof samples
type Entry = { community: Community; finding: Finding }

/**
 * Creates the checks that compare referrers with the contract's view and look for events that could not be decoded.
 * The first check runs before the first response, because nothing else would detect a configuration with member and
 * referrer swapped.
 */
export function createSpotChecks(parameters: SpotChecksParameters) {
  const { communities, index, log } = parameters
  const entries: readonly Entry[] = communities.map((community) => ({ community, finding: createFinding() }))
  const logged = new Set<string>()
  let first: 'pending' | 'running' | 'done' = 'pending'

  const warnings = (): Warning[] =>
    entries.flatMap(({ community, finding }) =>
      toWarnings(community, finding, index.view()?.forests.get(community.id)?.counts.members ?? 0),
    )

  function logNewWarnings(): void {
    for (const { community, kind, message } of warnings()) {
      if (logged.has(`${community} ${kind}`)) continue
      logged.add(`${community} ${kind}`)
      log(message)
    }
  }

  async function checkFirst(view: IndexView): Promise<void> {
    first = 'running'
    const checks = entries.map((entry) => checkCommunity(parameters, entry, view, 'first'))
    const checking = Promise.all(checks).catch((error) =>
      log(`The first members cannot be checked: ${describeError(error)}`),
    )
    await Promise.race([checking, new Promise((resolve) => setTimeout(resolve, patience))])
    first = 'done'
    await checking
  }

  return {
    /** Returns whether the first members were checked. Nothing is served before. */
    state: () => (first === 'done' ? ('checked' as const) : ('unchecked' as const)),
    warnings,
    /** Returns the communities that must not be served, each with the reason. */
    withheld: () =>
      warnings().flatMap((found) => {
        const { community, message } = found
        return community !== null && isBlocking(found) ? [{ community, message }] : []
      }),
    spotChecks: (): SpotCheck[] =>
      entries.flatMap(({ community, finding }) =>
        community.parentView === undefined ? [] : toSpotCheck(community.id, finding),
      ),
    /** Checks once. Resolves to the milliseconds until the next check. */
    async run(): Promise<number> {
      const view = index.view()
      if (!view) return 100
      if (first === 'pending') await checkFirst(view)
      else for (const entry of entries) await checkCommunity(parameters, entry, view, 'later')
      logNewWarnings()
      return interval
    },
  }
}

/** Checks one community and records the findings. */
async function checkCommunity(parameters: SpotChecksParameters, entry: Entry, view: IndexView, round: Round) {
  const { community, finding } = entry
  const { queries } = parameters
  const which = round === 'first' || finding.fault ? 'all' : 'binds'
  finding.fault = await findEventsFault(community, view, { which, queries })
  if (!view.forests.get(community.id)?.size || !community.parentView) return
  const overdue = setTimeout(noteChecked, patience, finding)
  try {
    await checkMembers(parameters, entry, view, round)
  } finally {
    clearTimeout(overdue)
    noteChecked(finding)
  }
}

async function checkMembers(parameters: SpotChecksParameters, entry: Entry, view: IndexView, round: Round) {
  const { community, finding } = entry
  const { queries } = parameters
  const blocks = { from: community.startBlock, to: view.asOf.block }
  const sample = await queries.sampleMembers(community.id, blocks, samples[round])
  const counts = { agrees: 0, differs: 0, opposite: 0, unreadable: 0, gone: 0 }
  for (const member of new Set([...finding.differing.keys(), ...sample])) {
    const outcome = await checkMember(parameters, entry, member)
    counts[outcome]++
  }
  const checked = counts.agrees + counts.differs + counts.opposite
  finding.checked += checked
  finding.unreadable += counts.unreadable
  finding.last = { checked, unreadable: counts.unreadable }
  if (counts.opposite > counts.agrees + counts.differs) finding.order = 'swapped'
}

async function checkMember(
  parameters: SpotChecksParameters,
  { community, finding }: Entry,
  member: Address,
): Promise<Comparison['outcome'] | 'opposite'> {
  const compare = async () => noteComparison(finding, member, await compareReferrer(community, member, parameters))
  let comparison = await compare()
  // The chain may have been reorganised between reading the index and reading the contract.
  if (comparison.outcome === 'differs') comparison = await compare()
  // Once the order is confirmed, a member who differs has moved to another referrer.
  if (comparison.outcome !== 'differs' || finding.order === 'confirmed') return comparison.outcome
  const { referrer } = comparison
  return (await isOpposite(community, { member, referrer }, parameters)) ? 'opposite' : 'differs'
}
