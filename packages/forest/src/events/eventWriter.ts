import { type AddressWords, createAddressWords, isSameAddress, readAddress } from '../addresses/address.ts'
import type { ForestData } from '../data/forestData.ts'
import { grades, type NodeStatus, nodeStatus, none } from '../data/nodes.ts'
import { RollbackError } from '../errors.ts'
import { Amounts, amountOf } from '../lib/amounts.ts'
import { checkBlock, checkPosition, readAmount } from '../lib/check.ts'
import type { AmountEvent, BindEvent, BindStatus, EventPosition, ForestEvent, ForestParameters } from '../types.ts'

const builtInSentinels = ['0x0000000000000000000000000000000000000000', '0x000000000000000000000000000000000000dead']

const zeroWords = createAddressWords()

/** Position of a bind that counts; `grade` is an index of `grades`. */
type JoinPosition = EventPosition & { grade: number; firstBlock: number }

/** Applies events to the data of a forest, in log order, and undoes them. */
export class EventWriter {
  private readonly data: ForestData
  private readonly sentinels: readonly AddressWords[]
  readonly journal = new Journal()
  /** Position of the newest event. */
  private newest: EventPosition | undefined
  // Reused for each event, because a load of millions must not allocate them.
  private readonly member = createAddressWords()
  private readonly referrer = createAddressWords()
  private readonly amount = new Amounts(1)

  constructor(data: ForestData, { sentinels = [] }: ForestParameters) {
    this.data = data
    this.sentinels = [...builtInSentinels, ...sentinels].map((text) => readAddress(text))
  }

  bind(event: BindEvent): BindStatus {
    readAddress(event.member, this.member)
    if (event.referrer === null) this.referrer.fill(0)
    else readAddress(event.referrer, this.referrer)
    checkPosition(event, this.newest)
    const child = this.find(this.member)
    const parent = this.find(this.referrer)
    const status = isSameAddress(this.member, this.referrer)
      ? 'self'
      : event.referrer === null && this.isUnbound(child)
        ? 'duplicate'
        : classifyBind(this.data, child, parent)
    const position = this.begin(event)
    if (status === 'bound') {
      const { grade = 'exact', firstBlock = 0 } = event
      const first = grade === 'exact' ? event.block : firstBlock
      this.addEdge(child, parent, { ...position, grade: grades.indexOf(grade), firstBlock: first })
    } else {
      this.data.irregularBinds.push(position, status)
      this.journal.current?.push({ type: 'irregular' })
    }
    return status
  }

  addAmount(type: 'volume' | 'reward', event: AmountEvent): void {
    const { timeline, aggregates, nodes, amounts, unowned } = this.data
    readAddress(event.member, this.member)
    checkPosition(event, this.newest)
    readAmount(event.amount, this.amount)
    const position = this.begin(event)
    const node = this.find(this.member) ?? this.add(this.member)
    timeline.add(type === 'volume' ? 'volume' : 'rewards', this.amount, position, this.journal.finalBlock)
    if (node === none) unowned.add(type, 0, this.amount, position)
    else {
      amounts.add(type, node, this.amount, position)
      if (type === 'volume') aggregates.changeVolume(node, this.amount, 'add')
      else aggregates.changeRewards(node, this.amount, 'add')
    }
    const activeBefore = node === none ? 0 : (nodes.activeAt[node] as number)
    if (node !== none) nodes.activeAt[node] = position.timestamp
    this.journal.current?.push({ type, node, amount: this.amount.get(0), activeBefore })
  }

  addEvent(event: ForestEvent): void {
    if (event.kind === 'bind') this.bind(event)
    else this.addAmount(event.kind, event)
  }

  load(events: Iterable<ForestEvent>): void {
    this.data.aggregates.defer()
    for (const event of events) this.addEvent(event)
  }

  rollback(toBlock: number): void {
    checkBlock(toBlock)
    if (toBlock < this.journal.finalBlock) throw new RollbackError(toBlock, this.journal.finalBlock)
    this.data.holds.endAfter(toBlock)
    for (let entry = this.journal.takeAbove(toBlock); entry; entry = this.journal.takeAbove(toBlock)) {
      for (let change = entry.changes.pop(); change; change = entry.changes.pop()) this.undo(change)
      this.newest = entry.previous
      this.data.version++
      this.data.slots.generation++
    }
    this.data.timeline.rollback(toBlock)
    this.data.amounts.rollback(toBlock)
    this.data.amountBlocks.rollback()
    this.data.unowned.rollback(toBlock)
  }

  commit(block: number): void {
    checkBlock(block)
    this.journal.commit(block)
  }

  /** Block of the newest event; -1 before the first one. */
  get newestBlock(): number {
    return this.newest?.block ?? -1
  }

  private begin({ block, logIndex, timestamp }: EventPosition): EventPosition {
    const position = { block, logIndex, timestamp }
    this.journal.begin(block, this.newest)
    this.newest = position
    this.data.version++
    return position
  }

  /** Finds the node of an address. Returns `none` for a sentinel and `undefined` for a new address. */
  private find(address: AddressWords): number | undefined {
    const node = this.data.addresses.find(address)
    if (node !== undefined) return node
    for (const sentinel of this.sentinels) if (isSameAddress(sentinel, address)) return none
    return undefined
  }

  /** Returns whether an address is new or a placeholder. */
  private isUnbound(node: number | undefined): boolean {
    return node === undefined || (node !== none && this.data.nodes.status[node] !== nodeStatus.member)
  }

  private add(address: AddressWords): number {
    this.data.addresses.insert(address)
    this.journal.current?.push({ type: 'created' })
    return this.data.aggregates.add()
  }

  private addEdge(knownChild: number | undefined, knownParent: number | undefined, position: JoinPosition): void {
    const { nodes, timeline } = this.data
    const parent = knownParent ?? this.add(this.referrer)
    if (parent !== none && nodes.status[parent] === nodeStatus.unknown) this.setStatus(parent, nodeStatus.placeholder)
    const child = knownChild ?? this.add(this.member)
    if (nodes.status[child] !== nodeStatus.member) {
      this.join(child, position)
      timeline.addMember(position, this.journal.finalBlock)
    } else {
      this.data.moves.push(child, nodes.parent[child] as number, position)
      this.journal.current?.push({ type: 'rebound' })
    }
    this.journal.current?.push({ type: 'moved', node: child, before: nodes.parent[child] as number })
    this.move(child, parent)
  }

  private join(node: number, { block, logIndex, timestamp, grade, firstBlock }: JoinPosition): void {
    const { nodes, aggregates } = this.data
    aggregates.join(node, nodes.members, grade === 0 ? timestamp : 0)
    nodes.grade[node] = grade
    nodes.unspent[node] = isSameAddress(this.referrer, zeroWords) ? 1 : 0
    if (grade !== 0) nodes.undated.push(nodes.members, firstBlock)
    nodes.joinOrder[nodes.members] = node
    nodes.joinedAt[node] = timestamp
    nodes.block[node] = block
    nodes.logIndex[node] = logIndex
    this.setStatus(node, nodeStatus.member)
  }

  private setStatus(node: number, status: NodeStatus): void {
    const { nodes, aggregates } = this.data
    this.journal.current?.push({ type: 'status', node, before: nodes.status[node] as NodeStatus })
    aggregates.setStatus(node, status)
  }

  private move(node: number, parent: number): void {
    const { nodes, aggregates } = this.data
    if (nodes.parent[node] !== none) aggregates.unlink(node)
    if (parent !== none) aggregates.link(node, parent)
  }

  private undoAmount({ type, node, amount, activeBefore }: AmountChange): void {
    const { nodes, aggregates } = this.data
    if (type === 'volume') aggregates.changeVolume(node, amountOf(amount), 'subtract')
    else aggregates.changeRewards(node, amountOf(amount), 'subtract')
    nodes.activeAt[node] = activeBefore
  }

  private undo(change: Change): void {
    const { addresses, prefixes, aggregates, irregularBinds } = this.data
    switch (change.type) {
      case 'created':
        addresses.removeLast()
        aggregates.removeLast()
        prefixes.removeLast()
        return
      case 'status':
        aggregates.setStatus(change.node, change.before)
        return
      case 'moved':
        this.move(change.node, change.before)
        return
      case 'rebound':
        this.data.moves.removeLast()
        return
      case 'irregular':
        irregularBinds.removeLast()
        return
      case 'volume':
      case 'reward':
        if (change.node !== none) this.undoAmount(change)
        return
    }
  }
}

/** Decides the status of a bind of `child` under another node; `none` is a sentinel, `undefined` a new address. */
function classifyBind(
  { nodes, aggregates }: ForestData,
  child: number | undefined,
  parent: number | undefined,
): BindStatus {
  // All sentinels count as one address above every root, so binding it under any other address closes a cycle.
  if (child === none) return parent === none ? 'self' : 'cycle'
  if (child === undefined) return 'bound'
  const isMember = nodes.status[child] === nodeStatus.member
  // A first bind to the zero address names no referrer, and is not the one that counts.
  const mayMove = aggregates.rebind || (nodes.unspent[child] === 1 && nodes.parent[child] === none)
  if (isMember && (!mayMove || nodes.parent[child] === parent)) return 'duplicate'
  if (parent === undefined || parent === none || nodes.firstChild[child] === none) return 'bound'
  return aggregates.isWithin(parent, child) ? 'cycle' : 'bound'
}

/** `activeBefore`: the time of the member's last activity before this change. */
export type AmountChange = { type: 'volume' | 'reward'; node: number; amount: bigint; activeBefore: number }

/** One step of an event, with the data to undo it. */
export type Change =
  | { type: 'created' }
  | { type: 'status'; node: number; before: NodeStatus }
  | { type: 'moved'; node: number; before: number }
  | { type: 'irregular' }
  | { type: 'rebound' }
  | AmountChange

interface Entry {
  block: number
  /** Position of the event before this one. */
  previous: EventPosition | undefined
  changes: Change[]
}

/** Stores the changes of each event that can still be undone. */
class Journal {
  finalBlock = -1
  private entries: Entry[] = []
  /** Changes of the current event; `undefined` if it is final, to avoid an allocation. */
  current: Change[] | undefined

  begin(block: number, previous: EventPosition | undefined): void {
    this.current = block > this.finalBlock ? [] : undefined
    if (this.current) this.entries.push({ block, previous, changes: this.current })
  }

  /** Removes and returns the newest entry if it is above `block`. */
  takeAbove(block: number): Entry | undefined {
    const last = this.entries.at(-1)
    return last && last.block > block ? this.entries.pop() : undefined
  }

  commit(block: number): void {
    if (block <= this.finalBlock) return
    this.finalBlock = block
    this.entries = this.entries.filter((entry) => entry.block > block)
  }
}
