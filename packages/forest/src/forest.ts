import { AddressIndex, type AddressWords, createAddressWords, isSameAddress, readAddress } from './addressIndex.ts'
import { AddressOrder } from './addressOrder.ts'
import { Aggregates } from './aggregates.ts'
import { Amounts, amountOf } from './amounts.ts'
import { InvalidEventError, RollbackError, UnknownMemberError } from './errors.ts'
import { type Change, Journal } from './journal.ts'
import { NetworkMetrics } from './metrics.ts'
import { type NodeStatus, Nodes, nodeStatus, none } from './nodes.ts'
import { GrowthSeries } from './queries/growth.ts'
import { levelsOf } from './queries/levels.ts'
import { memberOf, summaryOf } from './queries/member.ts'
import { ReferralPages } from './queries/referrals.ts'
import { referrersOf } from './queries/referrers.ts'
import { searchPrefix } from './queries/searchPrefix.ts'
import { Refusals } from './refusals.ts'
import { Slots } from './slots.ts'
import { runSnapshotJob } from './snapshotJob.ts'
import type { State } from './state.ts'
import { Timeline } from './timeline.ts'
import { defaultTuning, type Tuning } from './tuning.ts'
import type {
  AmountEvent,
  AmountInput,
  BindEvent,
  BindStatus,
  EventPosition,
  Forest,
  ForestMemory,
  ForestParameters,
  MemberId,
  Metrics,
  SnapshotJob,
  SnapshotTask,
} from './types.ts'

const alwaysSentinels = ['0x0000000000000000000000000000000000000000', '0x000000000000000000000000000000000000dead']
const initialCapacity = 1024
const largestWord = 0xffff_fffe
const largestAmount = 2n ** 256n - 1n
/** A snapshot is due after so many changes; in a small forest, after a quarter of its size. */
const snapshotEvery = 50_000
const smallestSnapshot = 1000

/**
 * Makes the empty forest of one community and alone decides what its events mean.
 *
 * @example
 * const forest = createForest()
 * forest.bind({ block: 1, logIndex: 0, timestamp: 1_700_000_000, member: '0x…b2', referrer: '0x…a1' }) // 'bound'
 * const id = forest.find('0x…a1')
 * if (id !== undefined) forest.member(id).team // 1
 */
export function createForest(parameters: ForestParameters = {}, tuning: Tuning = defaultTuning): Forest {
  const sentinels = createSentinels(parameters.sentinels ?? [])
  const rebind = parameters.rebind ?? false
  const nodes = new Nodes(initialCapacity)
  const slots = new Slots(nodes)
  const aggregates = new Aggregates(nodes, slots, rebind, tuning)
  const addresses = new AddressIndex(initialCapacity)
  const order = new AddressOrder(addresses)
  const timeline = new Timeline()
  const journal = new Journal()
  const refusals = new Refusals()
  const state: State = {
    addresses,
    order,
    nodes,
    slots,
    aggregates,
    timeline,
    tuning,
    placeholders: 0,
    edges: 0,
    refused: { self: 0, duplicate: 0, cycle: 0 },
  }
  const memberWords = createAddressWords()
  const referrerWords = createAddressWords()
  const amountAtHand = new Amounts(1)
  const metrics = new NetworkMetrics(state)
  const growth = new GrowthSeries(state)
  const referralPages = new ReferralPages(state)
  /** Rises when an address goes: what a worker made of it is worthless then. */
  let removals = 0
  let newest: EventPosition | undefined
  let version = 0
  let metricsMemo: { version: number; now: number; metrics: Metrics } | undefined

  function begin({ block, logIndex, timestamp }: EventPosition): EventPosition {
    const position = { block, logIndex, timestamp }
    journal.begin(block, newest)
    newest = position
    version++
    return position
  }

  /** `none` for a sentinel, `undefined` for an address not in the forest. */
  function find(address: AddressWords): number | undefined {
    return addresses.find(address) ?? (sentinels.find(address) === undefined ? undefined : none)
  }

  function classify(child: number | undefined, parent: number | undefined): BindStatus {
    // All sentinels together are the one nothing above every root, so nothing can refer them.
    if (child === none) return parent === none ? 'self' : 'cycle'
    if (child === undefined) return 'bound'
    const isBound = nodes.status[child] === nodeStatus.member
    if (isBound && (!rebind || nodes.parent[child] === parent)) return 'duplicate'
    if (parent === undefined || parent === none || nodes.firstChild[child] === none) return 'bound'
    return aggregates.isWithin(parent, child) ? 'cycle' : 'bound'
  }

  function add(address: AddressWords): number {
    addresses.insert(address)
    journal.open?.push({ type: 'created' })
    return aggregates.add()
  }

  function changeStatus(node: number, status: NodeStatus): void {
    journal.open?.push({ type: 'status', node, before: nodes.status[node] as NodeStatus })
    setStatus(node, status)
  }

  function setStatus(node: number, status: NodeStatus): void {
    const before = nodes.status[node]
    if (before === nodeStatus.member) nodes.members--
    if (before === nodeStatus.placeholder) state.placeholders--
    if (status === nodeStatus.member) nodes.members++
    if (status === nodeStatus.placeholder) state.placeholders++
    aggregates.setStatus(node, status)
  }

  function move(node: number, parent: number): void {
    if (nodes.parent[node] !== none) {
      aggregates.unlink(node)
      state.edges--
    }
    if (parent !== none) {
      aggregates.link(node, parent)
      state.edges++
    }
  }

  function join(node: number, { block, logIndex, timestamp }: EventPosition): void {
    aggregates.join(node, nodes.members, timestamp)
    nodes.joined[nodes.members] = node
    nodes.joinedAt[node] = timestamp
    nodes.block[node] = block
    nodes.logIndex[node] = logIndex
    changeStatus(node, nodeStatus.member)
  }

  function addAmount(type: 'volume' | 'reward', event: AmountEvent): void {
    readAddress(event.member, memberWords)
    checkPosition(event, newest)
    readAmount(event.amount, amountAtHand)
    const position = begin(event)
    const node = find(memberWords) ?? add(memberWords)
    timeline.add(type === 'volume' ? 'volume' : 'rewards', amountAtHand, position, journal.finalBlock)
    if (node !== none) {
      if (type === 'volume') aggregates.changeVolume(node, amountAtHand, 'add')
      else nodes.rewards.add(node, amountAtHand, 0)
    }
    journal.open?.push({ type, node, amount: amountAtHand.get(0) })
  }

  function undo(change: Change): void {
    switch (change.type) {
      case 'created':
        addresses.removeLast()
        aggregates.removeLast()
        order.truncate(nodes.length)
        removals++
        return
      case 'status':
        setStatus(change.node, change.before)
        return
      case 'moved':
        move(change.node, change.before)
        return
      case 'refused':
        state.refused[change.status]--
        refusals.removeLast()
        return
      case 'volume':
        if (change.node !== none) aggregates.changeVolume(change.node, amountOf(change.amount), 'subtract')
        return
      case 'reward':
        if (change.node !== none) nodes.rewards.subtract(change.node, amountOf(change.amount), 0)
        return
    }
  }

  function checkId(id: MemberId): void {
    if (!Number.isInteger(id) || id < 0 || id >= nodes.length || nodes.status[id] === nodeStatus.unknown)
      throw new UnknownMemberError(id)
  }

  /** Hands a query a member that exists, over columns that are settled. */
  function about<rest extends unknown[], answer>(
    query: (state: State, node: number, ...rest: rest) => answer,
  ): (id: MemberId, ...rest: rest) => answer {
    return (id, ...rest) => {
      checkId(id)
      aggregates.settle()
      return query(state, id, ...rest)
    }
  }

  function bind(event: BindEvent): BindStatus {
    readAddress(event.member, memberWords)
    readAddress(event.referrer, referrerWords)
    checkPosition(event, newest)
    const knownChild = find(memberWords)
    const knownParent = find(referrerWords)
    const status = isSameAddress(memberWords, referrerWords) ? 'self' : classify(knownChild, knownParent)
    const position = begin(event)
    if (status !== 'bound') {
      state.refused[status]++
      refusals.push(position.block, position.logIndex, status)
      journal.open?.push({ type: 'refused', status })
      return status
    }
    const parent = knownParent ?? add(referrerWords)
    if (parent !== none && nodes.status[parent] === nodeStatus.unknown) changeStatus(parent, nodeStatus.placeholder)
    const child = knownChild ?? add(memberWords)
    if (nodes.status[child] !== nodeStatus.member) {
      join(child, position)
      timeline.addMember(position, journal.finalBlock)
    }
    journal.open?.push({ type: 'moved', node: child, before: nodes.parent[child] as number })
    move(child, parent)
    return status
  }

  function memory(): ForestMemory {
    const parts = {
      nodes: nodes.bytes,
      ...addresses.bytes,
      order: order.bytes,
      ...slotBytes(),
      ownVolume: nodes.ownVolume.bytes,
      rewards: nodes.rewards.bytes,
      timeline: timeline.bytes,
      refusals: refusals.bytes,
    }
    const total = Object.values(parts).reduce((sum, bytes) => sum + bytes, 0)
    return { ...parts, total, perMember: total / Math.max(1, nodes.length) }
  }

  function slotBytes(): Pick<ForestMemory, 'slots' | 'legVolume'> {
    const { volumeSums, ...bytes } = slots.bytes
    return { ...bytes, slots: bytes.slots + volumeSums }
  }

  function beginSnapshot(part: SnapshotJob['part']): SnapshotTask {
    if (part === 'addresses') {
      const begun = removals
      return {
        job: { part, words: addresses.words, length: addresses.length },
        finish(result) {
          if (result.part !== part || removals !== begun) return false
          order.take(result.sorted)
          return true
        },
      }
    }
    aggregates.settle()
    const changes = slots.watch()
    return {
      job: { part, input: slots.input() },
      finish(result) {
        if (result.part !== part || !slots.isWatching(changes)) return false
        slots.install(result.snapshot, changes)
        return true
      },
    }
  }

  return {
    bind,
    addVolume: (event) => addAmount('volume', event),
    addReward: (event) => addAmount('reward', event),
    load(events) {
      aggregates.unsettle()
      for (const event of events) {
        if (event.kind === 'bind') bind(event)
        else addAmount(event.kind, event)
      }
    },
    rollback(toBlock) {
      checkBlock(toBlock)
      if (toBlock < journal.finalBlock) throw new RollbackError(toBlock, journal.finalBlock)
      for (let entry = journal.takeAbove(toBlock); entry; entry = journal.takeAbove(toBlock)) {
        for (let change = entry.changes.pop(); change; change = entry.changes.pop()) undo(change)
        newest = entry.before
        version++
      }
      timeline.rollback(toBlock)
    },
    commit(block) {
      checkBlock(block)
      journal.commit(block)
    },

    find(address) {
      readAddress(address, memberWords)
      const node = addresses.find(memberWords)
      return node === undefined || nodes.status[node] === nodeStatus.unknown ? undefined : node
    },
    member: about(memberOf),
    summary: about(summaryOf),
    levels: about(levelsOf),
    growth: about((_, node, { interval, now }) => {
      checkTime(now)
      return growth.of(node, interval, now)
    }),
    referrals: about((_, node, parameters) => referralPages.of(node, parameters, version)),
    referrers: about(referrersOf),
    statusAt: ({ block, logIndex }) => refusals.at(block, logIndex) ?? 'bound',
    searchPrefix(prefix, limit) {
      aggregates.settle()
      return searchPrefix(state, prefix, limit)
    },
    metrics({ now }) {
      checkTime(now)
      if (metricsMemo?.version !== version || metricsMemo.now !== now) {
        aggregates.settle()
        metricsMemo = { version, now, metrics: metrics.at(now) }
      }
      return metricsMemo.metrics
    },

    takeSnapshot() {
      aggregates.unsettle()
      aggregates.settle()
      const { job, finish } = beginSnapshot('addresses')
      finish(runSnapshotJob(job))
    },
    get isSnapshotDue() {
      if (!aggregates.isSettled) return true
      const changes = Math.max(slots.newer + slots.cuts.length * 8, order.newer)
      return changes >= Math.min(snapshotEvery, Math.max(smallestSnapshot, slots.frozen / 4))
    },
    beginSnapshot,

    get memory() {
      return memory()
    },
    get counts() {
      const { placeholders, edges, refused } = state
      const { members } = nodes
      return { members, placeholders, roots: members + placeholders - edges, ...refused }
    },
    get size() {
      return nodes.members + state.placeholders
    },
    get version() {
      return version
    },
    get finalBlock() {
      return journal.finalBlock
    },
  }
}

function createSentinels(own: readonly string[]): AddressIndex {
  const sentinels = new AddressIndex(8)
  const words = createAddressWords()
  for (const text of [...alwaysSentinels, ...own]) {
    readAddress(text, words)
    if (sentinels.find(words) === undefined) sentinels.insert(words)
  }
  return sentinels
}

/** Numbers are kept in 32 bits. */
function isWord(value: number): boolean {
  return Number.isInteger(value) && value >= 0 && value <= largestWord
}

function checkTime(now: number): void {
  if (!isWord(now)) throw new RangeError(`Not a time: ${String(now)}. Expected Unix seconds.`)
}

function refuse(field: keyof EventPosition, value: unknown): never {
  throw new InvalidEventError(`Not a ${field}: ${String(value)}. Expected an integer from 0 to ${largestWord}.`)
}

function checkBlock(block: number): void {
  if (!Number.isSafeInteger(block)) throw new RangeError(`Not a block: ${String(block)}. Expected an integer.`)
}

function readAmount(amount: AmountInput, into: Amounts): void {
  if (amount instanceof Uint32Array && amount.length === 8) into.setWords(0, amount)
  else if (typeof amount === 'bigint' && amount >= 0n && amount <= largestAmount) into.set(0, amount)
  else throw new InvalidEventError(`Not an amount: ${String(amount)}. Expected a bigint from 0 to 2^256 − 1.`)
}

function checkPosition(event: EventPosition, newest: EventPosition | undefined): void {
  if (!isWord(event.block)) refuse('block', event.block)
  if (!isWord(event.logIndex)) refuse('logIndex', event.logIndex)
  if (!isWord(event.timestamp)) refuse('timestamp', event.timestamp)
  if (!newest) return
  const { block, logIndex, timestamp } = newest
  if (event.block < block || (event.block === block && event.logIndex < logIndex) || event.timestamp < timestamp)
    throw new InvalidEventError(
      `Event out of order: block ${event.block}, log ${event.logIndex}, time ${event.timestamp} after block ${block}, ` +
        `log ${logIndex}, time ${timestamp}. Hand events in by block, then log index; roll back before replacing any.`,
    )
}
