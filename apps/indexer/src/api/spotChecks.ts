import type { SpotCheck, Status, Warning } from '@lineage/referral-api'
import { type AbiEvent, type Address, getAddress, toEventSelector } from 'viem'
import type { Community } from '../../config/index.ts'
import type { Follow, View } from './follow.ts'

export type SpotChecksParameters = {
  communities: readonly Community[]
  follow: Pick<Follow, 'view' | 'status'>
  /** Members of binds here and there, `count` at most. */
  sample: (community: string, blocks: { from: number; to: number }, count: number) => Promise<Address[]>
  /** How many topics and bytes of data some log of this event has; `undefined` without one. */
  shapeOf: (address: Address, topic0: `0x${string}`) => Promise<{ topics: number; bytes: number } | undefined>
  /** Whether there is a contract at all. */
  hasCode: (address: Address) => Promise<boolean>
  /** What the contract's own view answers at a block. */
  readReferrer: (community: Community, member: Address, block: number) => Promise<Address>
  log: (message: string) => void
}

/** Of one community. */
type Finding = {
  checked: number
  unreadable: number
  /** By member: what the events and what the contract say. */
  differing: Map<Address, { referrer: Address | null; onChain: Address }>
  verdict: 'none' | 'swapped'
  /** What keeps its events out of the tables. */
  fault: Fault | undefined
}

type Fault = { kind: 'events_unreadable' | 'events_absent'; message: string }

type Outcome = 'agrees' | 'differs' | 'opposite' | 'unreadable' | 'gone'

const firstSample = 24
const laterSample = 4
const interval = 60_000
/** A node that is slow must not keep everybody waiting: then the first members are checked later. */
const firstPatience = 10_000
const mostKept = 50

/**
 * Asks the contract now and then who a member's referrer is, and compares with what its events say. The first members are
 * asked for before the first answer: a configuration that takes the referrer for the member would serve everything upside
 * down, and nothing else would show it.
 */
export function createSpotChecks(parameters: SpotChecksParameters) {
  const { communities, follow, sample, shapeOf, hasCode, readReferrer, log } = parameters
  const findings = new Map<string, Finding>(
    communities.map(({ id }) => [
      id,
      { checked: 0, unreadable: 0, differing: new Map(), verdict: 'none', fault: undefined },
    ]),
  )
  let first: 'pending' | 'running' | 'done' = 'pending'
  const told = new Set<string>()

  async function checkFirst(view: View): Promise<void> {
    await Promise.all(communities.map((community) => checkCommunity(community, view, firstSample, 'first')))
  }

  async function checkCommunity(community: Community, view: View, count: number, which: 'first' | 'later') {
    const finding = findings.get(community.id)
    const forest = view.forests.get(community.id)
    if (!finding || !forest) return
    finding.fault = await findFault(community, view, which === 'first' || finding.fault !== undefined)
    if (forest.size === 0 || !community.parentView) return
    const blocks = { from: community.startBlock, to: view.asOf.block }
    const members = new Set([...finding.differing.keys(), ...(await sample(community.id, blocks, count))])
    const outcomes = { agrees: 0, differs: 0, opposite: 0, unreadable: 0, gone: 0 }
    for (const member of members) {
      let outcome = await check(community, finding, member)
      // The chain may have been reorganised between the two readings.
      if (outcome === 'differs') outcome = await check(community, finding, member)
      if (outcome === 'differs' && which === 'first') outcome = await checkOpposite(community, finding, member)
      outcomes[outcome]++
      if (outcome === 'unreadable') finding.unreadable++
      else if (outcome !== 'gone') finding.checked++
    }
    if (which === 'first' && outcomes.opposite > outcomes.agrees + outcomes.differs) finding.verdict = 'swapped'
  }

  async function check(community: Community, finding: Finding, member: Address): Promise<Outcome> {
    const view = follow.view()
    const forest = view?.forests.get(community.id)
    const id = forest?.find(member)
    const known = id === undefined ? undefined : forest?.summary(id)
    if (!view || known?.status !== 'member') {
      finding.differing.delete(member)
      return 'gone'
    }
    let onChain: Address
    try {
      onChain = await readReferrer(community, member, view.asOf.block)
    } catch {
      return 'unreadable'
    }
    if (toReferrer(community, onChain) === (known.referrer?.toLowerCase() ?? null)) {
      finding.differing.delete(member)
      return 'agrees'
    }
    if (finding.differing.size < mostKept || finding.differing.has(member))
      finding.differing.set(member, { referrer: known.referrer, onChain })
    return 'differs'
  }

  async function checkOpposite(community: Community, finding: Finding, member: Address): Promise<Outcome> {
    const block = follow.view()?.asOf.block
    const referrer = finding.differing.get(member)?.referrer
    if (!referrer || block === undefined) return 'differs'
    const ofReferrer = await readReferrer(community, referrer, block).catch(() => undefined)
    return ofReferrer?.toLowerCase() === member.toLowerCase() ? 'opposite' : 'differs'
  }

  /** Nothing at all may mean that there is nothing, or that each event was thrown away because it could not be read. */
  async function findFault(community: Community, view: View, withFeeds: boolean): Promise<Fault | undefined> {
    const { id, event, address, startBlock, volumes, rewards } = community
    const { asOf } = view
    const absent = (what: string): Fault => ({ kind: 'events_absent', message: `Community "${id}": ${what}` })
    if (startBlock > asOf.block)
      return absent(`its startBlock ${startBlock} is still to come, the newest is ${asOf.block}.`)
    const forest = view.forests.get(id)
    if (!forest) return undefined
    if (forest.size === 0) {
      const form = await formOf(community)
      if (form === 'other') return toUnreadable(id, event)
      if (form === 'right') return undefined
      if (!(await hasCode(address).catch(() => true)))
        return absent(`there is no contract at ${address}: check the address.`)
      return absent(
        `the contract has emitted no ${event.name} event since block ${startBlock}: are the event's name, the types of its arguments and startBlock right?`,
      )
    }
    if (!withFeeds || !(volumes || rewards)) return undefined
    const { volume, rewards: paid } = forest.metrics({ now: asOf.timestamp })
    for (const { feed, sum } of [
      { feed: volumes, sum: volume },
      { feed: rewards, sum: paid },
    ])
      if (feed && sum === 0n && (await formOf(feed)) === 'other') return toUnreadable(id, feed.event)
    return undefined
  }

  async function formOf({
    address,
    event,
  }: {
    address: Address
    event: AbiEvent
  }): Promise<'right' | 'other' | 'none'> {
    const shape = await shapeOf(address, toEventSelector(event))
    if (!shape) return 'none'
    const indexed = event.inputs.filter((input) => input.indexed).length
    const words = event.inputs.length - indexed
    return shape.topics === indexed + 1 && shape.bytes >= words * 32 ? 'right' : 'other'
  }

  const toUnreadable = (id: string, { name }: AbiEvent): Fault => ({
    kind: 'events_unreadable',
    message: `Community "${id}": the contract's ${name} events do not have the arguments that the configuration says: which of them are indexed?`,
  })

  function warnings(): Warning[] {
    return communities.flatMap((community): Warning[] => {
      const { id } = community
      const message = messageOf(community)
      if (!message) return []
      const finding = findings.get(id)
      const kind = finding?.verdict === 'swapped' ? 'arguments_swapped' : (finding?.fault?.kind ?? 'referrers_differ')
      return [{ kind, node: null, community: id, message }]
    })
  }

  function messageOf({ id, member, referrer, rebind }: Community): string | undefined {
    const finding = findings.get(id)
    if (!finding) return undefined
    if (finding.verdict === 'swapped')
      return `Community "${id}": the contract says the opposite: are member and referrer swapped? The configuration reads "${member}" as the member and "${referrer}" as the referrer. It is not served until that is put right.`
    if (finding.fault) return finding.fault.message
    const [example] = finding.differing
    if (!example) return undefined
    const [address, { referrer: known, onChain }] = example
    const hint = rebind === 'first' ? ' Does the contract move members (rebind: "last")?' : ''
    return `Community "${id}": the contract names another referrer than its events do for ${finding.differing.size} of ${finding.checked} members that were checked; for ${getAddress(address)} ${getAddress(onChain)} instead of ${known ? getAddress(known) : 'none'}.${hint}`
  }

  function tell() {
    for (const { community, kind, message } of warnings()) {
      if (told.has(`${community} ${kind}`)) continue
      told.add(`${community} ${kind}`)
      log(message)
    }
  }

  return {
    /** Nothing is answered before the first members have been checked. */
    view: () => (first === 'done' ? follow.view() : undefined),
    status(): ReturnType<Follow['status']> {
      const status = follow.status()
      if (first === 'done' || status.state !== 'ready') return status
      const progress: Status['progress'] = { phase: 'loading', done: 0, total: 1 }
      return {
        ...status,
        state: 'indexing',
        progress,
        asOf: null,
        note: 'The first members are being checked on chain.',
      }
    },
    warnings,
    /** Why a community is not answered for. */
    withheld: (id: string) => warnings().find((warning) => warning.community === id && isGrave(warning))?.message,
    spotChecks: (): SpotCheck[] =>
      communities.filter(isCheckable).flatMap(({ id }) => {
        const finding = findings.get(id)
        if (!finding) return []
        const { checked, unreadable, differing } = finding
        return { community: id, checked, unreadable, differing: differing.size, example: toExample(differing) }
      }),
    /** Checks once what is due; resolves to how many milliseconds to wait for the next time. */
    async run(): Promise<number> {
      const view = follow.view()
      if (!view) return 100
      if (first === 'pending') {
        first = 'running'
        const checking = checkFirst(view).catch((error) => log(`The first members cannot be checked: ${error}`))
        await Promise.race([checking, new Promise((resolve) => setTimeout(resolve, firstPatience))])
        first = 'done'
        await checking
      } else {
        for (const community of communities) await checkCommunity(community, view, laterSample, 'later')
      }
      tell()
      return interval
    },
  }
}

const isGrave = ({ kind }: Warning) => kind === 'arguments_swapped'
function toExample([first]: Finding['differing'] | []): SpotCheck['example'] {
  if (!first) return null
  const [address, { referrer, onChain }] = first
  return { address: getAddress(address), referrer: referrer && getAddress(referrer), onChain: getAddress(onChain) }
}

const isCheckable = ({ parentView }: Community) => parentView !== undefined

const sentinels = ['0x0000000000000000000000000000000000000000', '0x000000000000000000000000000000000000dead']

function toReferrer({ roots }: Community, address: Address): string | null {
  const lower = address.toLowerCase()
  return sentinels.includes(lower) || roots.some((root) => root.toLowerCase() === lower) ? null : lower
}
