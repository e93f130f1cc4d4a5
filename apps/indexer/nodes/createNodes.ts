import { setTimeout as delay } from 'node:timers/promises'
import { askNode, NodeError, type RpcError, type RpcRequest } from './askNode.ts'
import { createHeads } from './heads.ts'
import { allowedRange } from './logRange.ts'

/** Something a node cannot do, for people to read. Nodes are named by their host: keys are in paths and queries. */
export type NodeWarning = {
  kind:
    | 'node_silent'
    | 'node_other_chain'
    | 'node_without_logs'
    | 'node_without_history'
    | 'node_behind'
    | 'node_limiting'
  node: string
  message: string
}

/** What must be known of the nodes before they are read from. */
export type NodesParameters = {
  /** In order of preference. */
  urls: readonly string[]
  /** @default 56 */
  chainId?: number
  /** The block that the index holds for final. A node is read from when that block is final to it too. */
  finalizedBlock?: number
  /** The first block that will be read. */
  startBlock?: number
  log?: (message: string) => void
  /** Milliseconds a request may take over all nodes. @default 8_500 */
  patience?: number
}

type Node = {
  url: string
  name: string
  /** Asked again after a while, and after each silence: an address may lead elsewhere by then. */
  chain: { state: 'unchecked' } | { state: 'right'; at: number } | { state: 'other'; id: number; at: number }
  /** Its chain is being asked for, since then. */
  checking: { since: number; done: Promise<void> } | undefined
  state: 'answers' | 'silent'
  /** Why it is silent. */
  reason: string
  answeredAt: number
  restsUntil: number
  rest: number
  /** When it was last asked more slowly: what was refused of before says nothing new. */
  slowedAt: number
  /** Between two requests, in milliseconds: grows when it says that it is asked too often. */
  pace: number
  paceUntil: number
  /** What became of its requests since the pace was last thought about. */
  tally: { answered: number; refused: number; rested: number }
  /** The pace at which it gave most answers a millisecond, of those tried since it began to refuse. */
  best: { pace: number; rate: number } | undefined
  /** The share it refused when the pace was last thought about, from when it was much until it is little. */
  refusing: number
  /** Where it refused even the logs of two blocks, it is asked again after a while. */
  logs: { state: 'on' } | { state: 'off'; until: number }
  logRange: number
  /** The range it last failed at. */
  gaveUp: string | undefined
  /** The first block it has all of: those before it has thrown away. */
  firstBlock: number
  head: number
  headAt: number
  lag: number
  /** How far apart the heads are that it told of within a minute: several may answer behind its address. */
  spread: { blocks: number; at: number }
}

type LogFilter = { address?: unknown; topics?: unknown; fromBlock: number; toBlock: number }

export type Nodes = ReturnType<typeof createNodes>

const checkInterval = 60_000
const shortestRest = 25
const longestRest = 5_000
const shortestPace = 10
/** Ponder has 25 requests under way, and gives up on each after ten seconds. */
const longestPace = 300
/** So many answers and rests show whether a pace is right. */
const enough = 16
/** Further from its head no node behind an address is expected to be. */
const farApart = 256
/** How often what must be there is asked for once more before it is said not to be. */
const mostTries = 10
/** A node that has said for so long that it is asked too often says it to everything. */
const longestRefusal = 10_000
/** Finer than a millisecond, so that before and after are told apart. */
const now = () => performance.now()
/** Ponder's finality: a head that is further back is of a node that has stood still, not of a reorganised chain. */
const finality = 30

/**
 * Several nodes that answer like one that is always in step with itself: asked in order of preference, the next when one
 * fails; none of another chain; none that lags behind what was answered before; logs only from those that have them all.
 *
 * @example
 * const nodes = createNodes({ urls: ['https://node-one.example/key', 'https://node-two.example'] })
 * const head = await nodes.request({ method: 'eth_blockNumber', params: [] })
 *
 * @see https://ethereum.github.io/execution-apis/
 */
export function createNodes(parameters: NodesParameters) {
  const { urls, chainId = 56, finalizedBlock = 0, startBlock = 0, log = () => {}, patience = 8_500 } = parameters
  // In the first blocks of a chain the very first is final.
  const lowestHead = Math.max(finalizedBlock > 0 ? finalizedBlock + finality : 0, startBlock)
  const heads = createHeads(lowestHead)
  const nodes = urls.map(
    (url): Node => ({
      url,
      name: new URL(url).host,
      chain: { state: 'unchecked' },
      checking: undefined,
      state: 'answers',
      reason: '',
      answeredAt: 0,
      restsUntil: 0,
      rest: 0,
      slowedAt: 0,
      pace: 0,
      paceUntil: 0,
      tally: { answered: 0, refused: 0, rested: 0 },
      best: undefined,
      refusing: 0,
      logs: { state: 'on' },
      logRange: Number.POSITIVE_INFINITY,
      gaveUp: undefined,
      firstBlock: 0,
      head: 0,
      headAt: 0,
      lag: 0,
      spread: { blocks: 0, at: 0 },
    }),
  )
  let latest: { key: string; answer: Promise<unknown> } | undefined

  /**
   * Asks the nodes until one answers.
   *
   * @throws {NodeError}
   */
  async function request(rpc: RpcRequest): Promise<unknown> {
    if (!isLatest(rpc)) return remember(await anyOf(rpc))
    // Asked for several times a second: those who ask meanwhile get the same answer.
    const key = JSON.stringify(rpc)
    if (latest?.key === key) return latest.answer
    const answer = rpc.method === 'eth_blockNumber' ? headNumber() : headBlock(rpc).then((block) => steady(rpc, block))
    const mine = { key, answer }
    latest = mine
    try {
      return await answer
    } finally {
      if (latest === mine) latest = undefined
    }
  }

  async function anyOf(rpc: RpcRequest): Promise<unknown> {
    const end = Date.now() + patience
    let misses = 0
    for (;;) {
      const failures: NodeError[] = []
      let found: 'nothing' | undefined
      for (const node of nodes) {
        if (node.restsUntil > Date.now()) continue
        try {
          const result = await once(node, rpc, end)
          if (result !== null) return result
          // A node a little behind does not know what its neighbour does.
          found = 'nothing'
        } catch (error) {
          const failure = toFailure(error)
          if (isOfRequest(failure)) throw failure
          failures.push(failure)
        }
      }
      const wakes = Math.min(...nodes.map(({ restsUntil }) => restsUntil).filter((until) => until > Date.now()))
      // One of several behind an address may not have come so far: asked again, another will answer.
      const isMissing = isTold(rpc) && !Number.isFinite(wakes) && failures.every(({ kind }) => kind === 'missing')
      if (isMissing && ++misses < mostTries && Date.now() < end) {
        await delay(misses * 2)
        continue
      }
      if (found) return null
      // Nobody rests or is to be asked more slowly, so that asking again would be answered the same.
      if (!Number.isFinite(wakes) && failures.length > 0 && failures.every(({ kind }) => kind !== 'rate_limited'))
        throw worstOf(failures)
      const wait = Number.isFinite(wakes) ? wakes - Date.now() : 0
      if (Date.now() + wait > end) throw worstOf(failures, 'no node answers')
      await delay(Math.max(wait, 10))
    }
  }

  /** Asks one node, and keeps in mind how that went. */
  async function once(node: Node, rpc: RpcRequest, end = Date.now() + patience): Promise<unknown> {
    await checkChain(node, now() - checkInterval)
    const filter = rpc.method === 'eth_getLogs' ? toRange(rpc.params[0]) : undefined
    if (rpc.method === 'eth_getLogs' && node.logs.state === 'off' && node.logs.until > Date.now())
      throw withoutLogs(node)
    if (filter) await checkRange(node, filter)
    try {
      const result = filter ? await askLogs(node, rpc, filter, end) : await ask(node, rpc)
      const fault = faultOf(rpc, result)
      if (fault) {
        silence(node, fault)
        rest(node, 100)
        throw new NodeError('unreachable', `${node.name}: ${fault}`)
      }
      if (result === null && isFinalBlock(node, rpc))
        throw new NodeError('missing', `${node.name} does not have a block that is final to it`)
      // Its address may have led to another chain by then.
      if ((filter || isOfHeight(rpc)) && !heads.continues(result)) {
        const since = now()
        await insist(node, () => checkChain(node, since), end)
      }
      if (filter) node.logs = { state: 'on' }
      return result
    } catch (error) {
      const failure = toFailure(error)
      if (!filter || !['refused', 'unsupported'].includes(failure.kind)) throw failure
      return refuseRange(node, filter, failure)
    }
  }

  /**
   * No logs at all is the one answer that is right as well as what a node says that has thrown its logs away, that lags, or
   * that has a fault: it is believed when another node says it too, or the same one once more.
   */
  async function askLogs(node: Node, rpc: RpcRequest, filter: LogFilter, end: number): Promise<unknown> {
    const logs = await ask(node, rpc)
    if (!isEmpty(logs)) return logs
    const other = nodes.find((candidate) => candidate !== node && hasLogs(candidate, filter))
    const second = other && (await ask(other, rpc).catch(() => undefined))
    return Array.isArray(second) ? second : insist(node, () => ask(node, rpc), end)
  }

  /** What an answer needs besides is asked for again when it is refused, where no other node is there: the answer would be lost with it. */
  async function insist<result>(node: Node, task: () => Promise<result>, end: number): Promise<result> {
    for (;;) {
      try {
        return await task()
      } catch (error) {
        const wakes = Math.max(node.restsUntil, Date.now() + 10)
        const isAlone = nodes.every((other) => other === node || other.restsUntil > Date.now())
        if (toFailure(error).kind !== 'rate_limited' || !isAlone || wakes > end) throw error
        await delay(wakes - Date.now())
      }
    }
  }

  /** Whether it was told that there is such a block. */
  function isTold({ method, params: [asked] }: RpcRequest): boolean {
    if (method === 'eth_getBlockByNumber') return (toNumber(asked) ?? Number.POSITIVE_INFINITY) <= heads.number
    return (
      method === 'eth_getBlockByHash' ||
      (method === 'eth_getLogs' && typeof (asked as { blockHash?: unknown } | null)?.blockHash === 'string')
    )
  }

  const isFinalBlock = ({ head }: Node, { method, params: [block] }: RpcRequest) =>
    method === 'eth_getBlockByNumber' && (toNumber(block) ?? Number.POSITIVE_INFINITY) <= head - finality

  function hasLogs({ chain, state, logs, restsUntil, firstBlock, head, logRange }: Node, filter: LogFilter): boolean {
    const isReady = chain.state === 'right' && state === 'answers' && logs.state === 'on' && restsUntil <= Date.now()
    return isReady && filter.fromBlock >= firstBlock && filter.toBlock <= head && spanOf(filter) <= logRange
  }

  const isThere = (node: Node) =>
    askNode(node.url, { method: 'eth_blockNumber', params: [] }, 1_000).then(
      () => true,
      () => false,
    )

  async function ask(node: Node, rpc: RpcRequest): Promise<unknown> {
    const asked = Date.now()
    const start = Math.max(asked, node.paceUntil)
    node.paceUntil = start + node.pace
    if (start > asked) {
      await delay(start - asked)
      // Another was refused meanwhile: whoever waited stands in line again, at the new pace.
      if (node.restsUntil > Date.now() || node.slowedAt >= asked)
        throw new NodeError('rate_limited', `${node.name} rests`)
    }
    const sent = Date.now()
    try {
      const result = await askNode(node.url, rpc)
      if (node.state === 'silent') log(`${node.name} answers again.`)
      Object.assign(node, {
        state: 'answers',
        answeredAt: Date.now(),
        rest: 0,
      })
      node.tally.answered++
      adapt(node)
      takeHead(node, headOf(rpc, result))
      return result
    } catch (error) {
      const failure = toFailure(error)
      if (failure.kind === 'rate_limited') {
        if (sent >= node.slowedAt) {
          node.slowedAt = Date.now()
          // It may count, and answer the very next: it rests as long as it says when it says so twice in a row.
          rest(node, (node.rest > 0 && failure.retryAfter) || shortestRest)
          node.paceUntil = node.restsUntil
          if (node.pace < shortestPace) {
            node.pace = shortestPace
            node.tally = { answered: 0, refused: 0, rested: 0 }
          }
          node.tally.refused++
          node.tally.rested += node.rest
          adapt(node)
        }
        if (Date.now() - node.answeredAt > longestRefusal) silence(node, failure.message)
      }
      if (failure.kind === 'unreachable') {
        // A gateway gives up on a range that takes long, each time, and answers everything else.
        if (isWide(rpc)) {
          const range = JSON.stringify(rpc.params)
          if (node.gaveUp === range && (await isThere(node))) throw new NodeError('refused', failure.message)
          node.gaveUp = range
        }
        silence(node, failure.message)
        rest(node, 100)
      }
      throw failure
    }
  }

  /**
   * Slower by steps while it refuses, as long as that does not cost answers: there are nodes that refuse a share of what
   * they are asked, however slowly.
   */
  function adapt(node: Node) {
    const { answered, refused, rested } = node.tally
    if (answered + refused < enough) return
    // By the time it was kept waiting for, so that one is not slow while nobody asks.
    const rate = answered / (rested + (answered + refused) * node.pace)
    const share = refused / (answered + refused)
    const wasLimiting = isLimiting(node)
    node.refusing = wasLimiting || share > 0.2 ? share : 0
    node.tally = { answered: 0, refused: 0, rested: 0 }
    if (refused * enough <= answered) {
      node.pace = node.pace < shortestPace ? 0 : node.pace * 0.8
      node.best = undefined
      node.refusing = 0
    } else if (node.best && rate < node.best.rate * 0.7) {
      node.pace = node.best.pace
      node.best = undefined
    } else {
      if (!node.best || rate > node.best.rate) node.best = { pace: node.pace, rate }
      node.pace = Math.min(node.pace * 1.5, longestPace)
    }
    if (isLimiting(node) && !wasLimiting) log(messageOf(node, 'node_limiting'))
  }

  function takeHead(node: Node, told: number | undefined) {
    if (told === undefined) return
    node.head = Math.max(node.head, told)
    node.headAt = Date.now()
    const blocks = node.head - told
    const known = node.spread.at < now() - checkInterval ? 0 : node.spread.blocks
    // It is a little more or less each time.
    if (blocks > known / 2 || known === 0) node.spread = { blocks: Math.max(blocks, known), at: now() }
  }

  function silence(node: Node, reason: string) {
    const isNews = node.state === 'answers'
    Object.assign(node, { state: 'silent', reason: reason.replace(/\.+$/, '') })
    if (isNews) log(messageOf(node, 'node_silent'))
    node.chain = node.chain.state === 'other' ? node.chain : { state: 'unchecked' }
  }

  function rest(node: Node, shortest: number) {
    node.rest = Math.min(Math.max(node.rest * 2, shortest), longestRest)
    node.restsUntil = Date.now() + node.rest
  }

  /** Throws where a node is of another chain, as it was after `since` or is now. */
  async function checkChain(node: Node, since: number): Promise<void> {
    while (node.chain.state === 'unchecked' || node.chain.at < since) {
      // Those who ask meanwhile share the next answer: the one under way may be older than what they ask about.
      node.checking ??= { since: now(), done: askChain(node).finally(() => (node.checking = undefined)) }
      const { since: asked, done } = node.checking
      await (asked < since ? done.catch(() => undefined) : done)
    }
    if (node.chain.state === 'other') throw new NodeError('missing', messageOf(node, 'node_other_chain', node.chain.id))
  }

  async function askChain(node: Node): Promise<void> {
    const at = now()
    const answer = await ask(node, { method: 'eth_chainId', params: [] }).catch((error: unknown) => {
      const failure = toFailure(error)
      if (['unreachable', 'rate_limited'].includes(failure.kind)) throw failure
      // Whoever does not say even that wants a key, or money.
      silence(node, failure.message)
      rest(node, 1_000)
      throw new NodeError('unreachable', failure.message)
    })
    const id = toNumber(answer)
    if (id === undefined) throw new NodeError('unreachable', `${node.name}: its chain id is no number`)
    if (id !== chainId && node.chain.state !== 'other') log(messageOf(node, 'node_other_chain', id))
    node.chain = id === chainId ? { state: 'right', at } : { state: 'other', id, at }
    if (id !== chainId) node.head = 0
  }

  /** A node that has not come so far would answer with the logs it has, and not say that some are missing. */
  async function checkRange(node: Node, { fromBlock, toBlock }: LogFilter): Promise<void> {
    if (fromBlock < node.firstBlock) throw new NodeError('missing', messageOf(node, 'node_without_history'))
    if (toBlock - fromBlock >= node.logRange) throw tooWide(fromBlock, node.logRange)
    const isNear = toBlock > node.head - farApart && node.headAt < Date.now() - 1_000
    if (toBlock > node.head || isNear) await ask(node, { method: 'eth_blockNumber', params: [] })
    if (toBlock > steadyHead(node)) throw new NodeError('missing', `${node.name} has not come to block ${toBlock} yet`)
  }

  /** Says in words that whoever asks understands how many blocks to ask for instead. */
  function refuseRange(node: Node, filter: LogFilter, failure: NodeError): never {
    const { fromBlock } = filter
    const span = spanOf(filter)
    if (span <= 2 || failure.kind === 'unsupported') {
      if (node.logs.state === 'on') log(`${messageOf(node, 'node_without_logs')} It says: ${failure.message}`)
      node.logs = { state: 'off', until: Date.now() + checkInterval }
      throw withoutLogs(node)
    }
    const allowed = allowedRange(failure.message, span)
    if (allowed === undefined) throw tooWide(fromBlock, undefined)
    node.logRange = allowed
    log(`${node.name} answers logs of ${allowed} blocks at once.`)
    throw tooWide(fromBlock, allowed)
  }

  async function headBlock(rpc: RpcRequest): Promise<unknown> {
    const behind: unknown[] = []
    let failure: NodeError | undefined
    for (const node of nodes) {
      if (node.restsUntil > Date.now()) continue
      try {
        const block = await once(node, rpc)
        const verdict = heads.judge(block, finality)
        node.lag = verdict === 'behind' ? heads.lagOf(block) : 0
        if (verdict === 'news') {
          heads.serve(rpc.params, block)
          return block
        }
        behind.push(block)
      } catch (error) {
        failure = toFailure(error)
      }
    }
    // All that answered are behind what was told before: nothing has happened since.
    if (behind.length > 0) return standing(rpc, behind[0])
    if (failure && !nodes.some(({ restsUntil }) => restsUntil > Date.now())) throw failure
    const block = await anyOf(rpc)
    if (heads.judge(block, finality) === 'behind') return standing(rpc, block)
    heads.serve(rpc.params, block)
    return block
  }

  /** What was told before a block that is behind; the block itself where it was told in another form. */
  function standing({ params }: RpcRequest, block: unknown): unknown {
    if ((heightOf(block) ?? 0) < lowestHead && !heads.served(params))
      throw new NodeError('missing', `no node has come to block ${lowestHead} yet`)
    return heads.served(params) ?? block
  }

  /**
   * Without its transactions Ponder asks for the head to know what is final, and takes logs up to there as they come: as
   * far as all have come who may answer. What follows it asks for by hash, and checks.
   */
  async function steady({ method, params }: RpcRequest, block: unknown): Promise<unknown> {
    if (params[1] !== false) return block
    const heights = nodes.filter(isReadable).map(steadyHead)
    const height = Math.max(lowestHead, ...heights)
    if (heights.length === 0 || height >= (heightOf(block) ?? 0)) return block
    const known = await anyOf({ method, params: [`0x${height.toString(16)}`, false] })
    if (known === null) throw new NodeError('missing', `no node has block ${height}`)
    return known
  }

  async function headNumber(): Promise<unknown> {
    const answer = await anyOf({ method: 'eth_blockNumber', params: [] })
    return `0x${Math.max(Number(answer), heads.number).toString(16)}`
  }

  /** Blocks passed on are the ones a node that lags will be recognised by. */
  function remember(result: unknown): unknown {
    heads.note(result)
    return result
  }

  /**
   * Tries on every node what reading a community will need.
   *
   * @param from The first block to be read, and the contract of its logs.
   */
  async function inspect(from: { block: number; address: string }): Promise<NodeWarning[]> {
    const first = `0x${from.block.toString(16)}`
    const hashes = new Map<string, Node>()
    await Promise.all(
      nodes.map(async (node) => {
        // Slow or busy is not the same as unable.
        const attempt = (rpc: RpcRequest) => patiently(() => once(node, rpc))
        const newest = { method: 'eth_blockNumber', params: [] }
        const head = await attempt(newest).catch(() => undefined)
        if (head === undefined) return
        // Several may answer behind its address, in turns: nothing else is asked in between.
        for (let times = 1; times < 5; times++) await patiently(() => ask(node, newest)).catch(() => undefined)
        Object.assign(node, { logs: { state: 'on' }, firstBlock: 0 })
        const logsAt = (block: string) =>
          attempt({ method: 'eth_getLogs', params: [{ address: from.address, fromBlock: block, toBlock: block }] })
        // Where it refuses, that is kept in mind.
        await logsAt(String(head)).catch(() => undefined)
        if (from.block > Number(head)) return
        const blockAt = () => attempt({ method: 'eth_getBlockByNumber', params: [first, false] }).catch(toFailure)
        let block = await blockAt()
        if (isGone(block)) block = await blockAt()
        const isMissing =
          isGone(block) ||
          (hasBloom(block) &&
            (await patiently(() => ask(node, anyLogsAt(first)))
              .catch(toFailure)
              .then(isEmpty)))
        const logs = node.logs.state === 'on' && !isMissing ? await logsAt(first).catch(toFailure) : undefined
        if (isMissing || (logs instanceof NodeError && logs.kind !== 'unreachable'))
          node.firstBlock = Math.max(Number(head) - 128, 0)
        const hash = (block as { hash?: unknown } | null)?.hash
        if (typeof hash === 'string') hashes.set(hash, hashes.get(hash) ?? node)
      }),
    )
    if (hashes.size > 1) {
      const names = [...hashes.values()].map(({ name }) => name).join(' and ')
      throw new NodeError(
        'refused',
        `${names} have different blocks ${from.block}: they are of different chains with the same id ${chainId}.`,
      )
    }
    return warnings()
  }

  async function patiently<result>(task: () => Promise<result>): Promise<result> {
    for (let tries = 1; ; tries++) {
      try {
        return await task()
      } catch (error) {
        const failure = toFailure(error)
        if (tries === 4 || failure.kind !== 'rate_limited') throw failure
        await delay(Math.min(failure.retryAfter || 300 * tries, 5_000))
      }
    }
  }

  function warnings(): NodeWarning[] {
    return nodes.flatMap((node) => {
      const kinds: NodeWarning['kind'][] = []
      if (node.chain.state === 'other') kinds.push('node_other_chain')
      else if (node.state === 'silent') kinds.push('node_silent')
      else {
        if (node.logs.state === 'off') kinds.push('node_without_logs')
        if (node.firstBlock > 0) kinds.push('node_without_history')
        if (lagOf(node) > finality || node.head < lowestHead) kinds.push('node_behind')
        if (isLimiting(node)) kinds.push('node_limiting')
      }
      return kinds.map((kind) => ({
        kind,
        node: node.name,
        message: messageOf(node, kind, node.chain.state === 'other' ? node.chain.id : lagOf(node)),
      }))
    })
  }

  function messageOf({ name, reason, head, refusing }: Node, kind: NodeWarning['kind'], number = 0): string {
    switch (kind) {
      case 'node_silent':
        return `${name} does not answer: ${reason}.`
      case 'node_other_chain':
        return `${name} is a node of chain ${number}, not of BNB Smart Chain (${chainId}): it is not read from.`
      case 'node_without_logs':
        return `${name} has eth_getLogs off, or on for single blocks only: use another node.`
      case 'node_without_history':
        return `${name} does not keep the first block of the communities: use an archive node to read from there.`
      case 'node_limiting':
        return `${name} says of ${Math.round(refusing * 100)} % of the requests that they are too many: reading takes longer. Raise its limit, or add a node.`
      case 'node_behind':
        return head < startBlock
          ? `${name} has come to block ${head}, and the first community starts at block ${startBlock}: check startBlock, or wait.`
          : `${name} is ${number} blocks behind what it or another node told of before.`
    }
  }

  const lagOf = ({ lag, head }: Node) => Math.max(lag, lowestHead - head)
  const steadyHead = ({ head, spread }: Node) => head - spread.blocks
  const isReadable = ({ chain, state, logs }: Node) =>
    chain.state === 'right' && state === 'answers' && logs.state === 'on'
  /** Refuses many, and lately. */
  const isLimiting = ({ refusing, slowedAt }: Node) => refusing > 0 && Date.now() - slowedAt < checkInterval
  const withoutLogs = (node: Node) => new NodeError('unsupported', messageOf(node, 'node_without_logs'))

  return {
    request,
    inspect,
    warnings,
    /** Whether some node offers what reading cannot do without. */
    canRead: () => nodes.some((node) => isReadable(node) && node.head >= lowestHead),
  }
}

/** What most helps: a range that is too wide can be asked for in parts, the rest can only be waited for. */
function worstOf(failures: readonly NodeError[], otherwise = ''): NodeError {
  const ranges = failures.filter((failure): failure is TooWideError => failure instanceof TooWideError)
  const widest = ranges.toSorted((left, right) => right.allowed - left.allowed)[0]
  return widest ?? failures.at(-1) ?? new NodeError('unreachable', otherwise)
}

class TooWideError extends NodeError {
  readonly allowed: number
  constructor(allowed: number, rpcError: RpcError) {
    super('missing', rpcError.message, { rpcError })
    this.allowed = allowed
  }
}

/** In the words of providers that Ponder knows: it takes the range of the first, and half of its own after the second. */
function tooWide(fromBlock: number, allowed: number | undefined): TooWideError {
  const hex = (block: number) => `0x${block.toString(16)}`
  const message =
    allowed === undefined
      ? 'block range too large'
      : `this block range should work: [${hex(fromBlock)}, ${hex(fromBlock + allowed - 1)}]`
  return new TooWideError(allowed ?? 0, { code: -32005, message })
}

/** Any other node would say the same. */
function isOfRequest({ kind, rpcError }: NodeError): boolean {
  return (
    kind === 'refused' && (rpcError?.code === 3 || rpcError?.code === -32602 || /revert/i.test(rpcError?.message ?? ''))
  )
}

const isWide = ({ method, params: [filter] }: RpcRequest) => {
  const range = method === 'eth_getLogs' ? toRange(filter) : undefined
  return range !== undefined && spanOf(range) > 2
}

function spanOf({ fromBlock, toBlock }: LogFilter): number {
  return toBlock - fromBlock + 1
}

/** What is wrong with an answer that whoever asks would stumble over, where another node may give a right one. */
function faultOf({ method, params: [asked] }: RpcRequest, result: unknown): string | undefined {
  if (method === 'eth_getLogs') {
    if (!Array.isArray(result)) return 'its logs are no list'
    const places = new Set<string>()
    for (const log of result as readonly ({ blockHash?: unknown; logIndex?: unknown } | null)[]) {
      if (typeof log?.blockHash !== 'string') return 'its logs do not say of which block they are'
      places.add(`${log.blockHash} ${log.logIndex}`)
    }
    return places.size === result.length ? undefined : 'it tells a log twice'
  }
  if (method !== 'eth_getBlockByNumber' || result === null) return undefined
  const height = heightOf(result)
  if (height === undefined || typeof (result as { hash?: unknown }).hash !== 'string')
    return 'its blocks have no number or no hash'
  return height === (toNumber(asked) ?? height) ? undefined : 'it gives another block than it is asked for'
}

const isGone = (answer: unknown) => answer === null || (answer instanceof NodeError && answer.kind !== 'unreachable')
const isEmpty = (logs: unknown) => Array.isArray(logs) && logs.length === 0
const anyLogsAt = (block: string): RpcRequest => ({
  method: 'eth_getLogs',
  params: [{ fromBlock: block, toBlock: block }],
})

/** Whether a block says of itself that it has logs: a node may keep it and not those. */
function hasBloom(block: unknown): boolean {
  const bloom = (block as { logsBloom?: unknown } | null)?.logsBloom
  return typeof bloom === 'string' && /^0x0*[1-9a-f]/i.test(bloom)
}

function toFailure(error: unknown): NodeError {
  return error instanceof NodeError ? error : new NodeError('unreachable', String(error))
}

function isLatest({ method, params }: RpcRequest): boolean {
  return method === 'eth_blockNumber' || (method === 'eth_getBlockByNumber' && params[0] === 'latest')
}

/** What is told of a height: another chain has blocks of the same height, but none of the same hash. */
function isOfHeight({ method }: RpcRequest): boolean {
  return ['eth_blockNumber', 'eth_getBlockByNumber', 'eth_call'].includes(method)
}

function headOf(rpc: RpcRequest, result: unknown): number | undefined {
  if (!isLatest(rpc)) return undefined
  return rpc.method === 'eth_blockNumber' ? toNumber(result) : heightOf(result)
}

function heightOf(block: unknown): number | undefined {
  return toNumber((block as { number?: unknown } | null)?.number)
}

function toNumber(value: unknown): number | undefined {
  return typeof value === 'string' && /^0x[0-9a-f]{1,13}$/i.test(value) ? Number(value) : undefined
}

/** `undefined` for logs of one block by its hash, which no node answers in part. */
function toRange(filter: unknown): LogFilter | undefined {
  if (typeof filter !== 'object' || filter === null) return undefined
  const fromBlock = toNumber((filter as LogFilter).fromBlock)
  const toBlock = toNumber((filter as LogFilter).toBlock)
  return fromBlock === undefined || toBlock === undefined ? undefined : { fromBlock, toBlock }
}
