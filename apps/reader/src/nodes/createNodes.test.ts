import { encodeEventTopics, numberToHex, parseAbiItem } from 'viem'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { blockAt, hashAt, logAt } from '../../test/blocks.ts'
import { type NodeProxy, startProxy } from '../../test/proxy.ts'
import type { HistoryLog } from '../history/HistorySource.ts'
import { createNodes } from './createNodes.ts'
import { TooWideError } from './nodeError.ts'
import { bloomOf, toHeader } from './rpc.ts'

const started: NodeProxy[] = []
const logged: string[] = []
beforeEach(() => logged.splice(0))
afterEach(async () => {
  vi.useRealTimers()
  for (const node of started.splice(0)) await node.stop()
})

/** A node of a made-up chain. With `fork`, blocks at the same height differ. */
type Script = {
  head: number
  fork?: (number: number) => string
  chainId?: number
  hasLogs?: false
  from?: number
  timestamp?: number
}

async function startNode(script: Script) {
  const forkedAt = (number: number) =>
    blockAt(number, {
      hash: hashAt(number, script.fork?.(number)),
      parentHash: hashAt(number - 1, script.fork?.(number - 1)),
      ...(script.timestamp !== undefined && { timestamp: numberToHex(script.timestamp) }),
    })
  const proxy = await startProxy('', ({ method, params: [first] }) => {
    const parameter: unknown = first
    if (method === 'eth_chainId') return { result: `0x${(script.chainId ?? 56).toString(16)}` }
    if (method === 'eth_blockNumber') return { result: `0x${script.head.toString(16)}` }
    if (method === 'eth_getLogs') {
      if (script.hasLogs === false) return { error: { code: -32005, message: 'limit exceeded' } }
      const { fromBlock } = parameter as { fromBlock: string }
      if (Number(fromBlock) < (script.from ?? 0)) return { error: { code: -32000, message: 'history has been pruned' } }
      return { result: [] }
    }
    if (method === 'eth_getBlockByNumber') {
      const number = parameter === 'latest' ? script.head : Number(parameter)
      return { result: number > script.head || number < (script.from ?? 0) ? null : forkedAt(number) }
    }
    return undefined
  })
  started.push(proxy)
  return proxy
}

const nodesOf = (...nodes: NodeProxy[]) =>
  createNodes({ urls: nodes.map(({ url }) => url), log: (message) => logged.push(message), patience: 1_500 })

const latest = { method: 'eth_getBlockByNumber', params: ['latest', false] }
const at = (number: number) => ({ method: 'eth_getBlockByNumber', params: [`0x${number.toString(16)}`, false] })
const logs = (from: number, to: number) => ({
  method: 'eth_getLogs',
  params: [{ fromBlock: `0x${from.toString(16)}`, toBlock: `0x${to.toString(16)}` }],
})

describe('order of nodes', () => {
  test('behavior: uses the first node while it answers, then the next, then the first again', async () => {
    const [first, second] = [await startNode({ head: 5 }), await startNode({ head: 6 })]
    const nodes = nodesOf(first, second)
    expect(await nodes.request(at(6))).toMatchObject({ hash: hashAt(6) })
    await first.stop()
    expect(await nodes.request(at(5))).toMatchObject({ hash: hashAt(5) })
    expect(nodes.warnings()).toMatchObject([{ kind: 'node_silent', node: `node 1 (${first.host})` }])
    await first.listen()
    await expect.poll(async () => (await nodes.request(at(4))) && nodes.warnings()).toEqual([])
    expect(logged.join()).toContain(`node 1 (${first.host}) answers again.`)
  })

  test('behavior: the warning about a standby goes away when it answers again, though the first node is used', async () => {
    const [first, second] = [await startNode({ head: 5 }), await startNode({ head: 5 })]
    const nodes = nodesOf(first, second)
    await second.stop()
    await nodes.inspect({ block: 3, address: '0x' })
    expect(nodes.report()).toMatchObject({ state: 'usable', warnings: [{ node: `node 2 (${second.host})` }] })
    await second.listen()
    await nodes.request(latest)
    expect(nodes.warnings()).toMatchObject([{ kind: 'node_silent' }])
    await expect.poll(async () => (await nodes.probe()) && nodes.warnings()).toEqual([])
    await first.stop()
    await second.stop()
    await expect(nodes.request(at(5))).rejects.toThrow()
    expect(nodes.report().state).toBe('unusable')
  })

  test('behavior: skips a node of another chain, and names it without its key', async () => {
    const [other, right] = [await startNode({ head: 9, chainId: 1 }), await startNode({ head: 5 })]
    const nodes = nodesOf(other, right)
    expect(await nodes.request(latest)).toMatchObject({ hash: hashAt(5) })
    expect(other.requests.map(({ method }) => method)).toEqual(['eth_chainId'])
    expect(nodes.warnings()).toMatchObject([
      {
        kind: 'node_other_chain',
        message: expect.stringMatching(/is a node of chain 1, not of BNB Smart Chain \(56\)/),
      },
    ])
    expect(logged.join()).not.toContain('secret-key')
  })

  test('behavior: skips a node whose URL leads to another chain after an outage', async () => {
    const script: Script = { head: 5 }
    const [first, second] = [await startNode(script), await startNode({ head: 5 })]
    const nodes = nodesOf(first, second)
    await nodes.request(latest)
    await first.stop()
    await nodes.request(at(1))
    script.chainId = 97
    await first.listen()
    await expect
      .poll(async () => (await nodes.request(at(1))) && nodes.warnings())
      .toMatchObject([{ kind: 'node_other_chain' }])
  })

  test.each([
    ['logs', () => logs(3, 50), []],
    ['a block', () => at(4), { hash: hashAt(4) }],
    ['the newest block', () => latest, { hash: hashAt(60) }],
  ])(
    'behavior: does not pass on %s of a node whose URL leads to another chain without an outage',
    async (_, makeRequest, expected) => {
      const script: Script = { head: 60 }
      const [first, second] = [await startNode(script), await startNode({ head: 60 })]
      const nodes = nodesOf(first, second)
      expect(await nodes.request(at(5))).toMatchObject({ hash: hashAt(5) })
      Object.assign(script, { chainId: 97, head: 70, fork: () => 'of97' })
      const before = first.requests.length
      expect(await nodes.request(makeRequest())).toMatchObject(expected as object)
      expect(first.requests.length).toBeGreaterThan(before)
      expect(nodes.warnings()).toMatchObject([{ kind: 'node_other_chain', node: `node 1 (${first.host})` }])
    },
  )

  test('behavior: needs no other request for a head whose parent is known', async () => {
    const script: Script = { head: 5 }
    const only = await startNode(script)
    const nodes = nodesOf(only)
    await nodes.request(latest)
    const before = only.requests.length
    script.head = 6
    expect(await nodes.request(latest)).toMatchObject({ hash: hashAt(6) })
    expect(only.requests.slice(before).map(({ method }) => method)).toEqual(['eth_getBlockByNumber'])
  })

  test('error: two nodes of different chains with the same id', async () => {
    const [first, second] = [await startNode({ head: 9 }), await startNode({ head: 9, fork: () => 'b' })]
    await expect(nodesOf(first, second).inspect({ block: 3, address: '0x' })).rejects.toThrow(
      /have different blocks 3: they serve different chains with the same id 56/,
    )
  })

  test('error: no node answers', async () => {
    const gone = await startNode({ head: 5 })
    await gone.stop()
    await expect(nodesOf(gone).request(latest)).rejects.toThrow()
    await gone.listen()
  })

  test('behavior: retries after HTTP 429, for as long as the node needs', async () => {
    const only = await startNode({ head: 5 })
    const nodes = nodesOf(only)
    await nodes.request(latest)
    let refused = 0
    only.behave(({ method }, response) => {
      if (method === 'eth_chainId') return { result: '0x38' }
      if (refused++ > 2) return { result: blockAt(4) }
      response.writeHead(429, { 'retry-after': '0' }).end('slow down')
      return 'taken'
    })
    expect(await nodes.request(at(4))).toMatchObject({ hash: hashAt(4) })
    expect(refused).toBe(4)
  })

  test.each([['a reverted call', { code: 3, message: 'execution reverted' }]])(
    'error: returns the error of the first node at once for %s',
    async (_, error) => {
      const [first, second] = [await startNode({ head: 5 }), await startNode({ head: 5 })]
      first.behave(({ method }) => (method === 'eth_chainId' ? { result: '0x38' } : { error }))
      await expect(nodesOf(first, second).request({ method: 'eth_call', params: [] })).rejects.toMatchObject({
        rpcError: error,
      })
      expect(second.requests).toEqual([])
    },
  )

  test.each(['<html>', '', 'null', '{"jsonrpc":"2.0"}', '[]'])(
    'error: takes the next node when the first returns %j',
    async (text) => {
      const [first, second] = [await startNode({ head: 5 }), await startNode({ head: 5 })]
      first.behave((_, response) => {
        response.end(text)
        return 'taken'
      })
      expect(await nodesOf(first, second).request(latest)).toMatchObject({ hash: hashAt(5) })
    },
  )
})

describe('nodes that refuse', () => {
  const nodeWith = (behaviour: Parameters<NodeProxy['behave']>[0]) => async () => {
    const node = await startNode({ head: 100 })
    node.behave(behaviour)
    return node
  }
  const requiresKey = nodeWith(() => ({
    error: { code: -32000, message: 'Unauthorized: authenticate with an API key' },
  }))
  const outOfQuota = nodeWith((_, response) => {
    const error = { code: 429, message: 'Monthly capacity limit exceeded' }
    response.writeHead(429).end(JSON.stringify({ error }))
    return 'taken'
  })
  const refusesBlocks = nodeWith(({ method, params: [first] }) => {
    if (method === 'eth_chainId') return { result: '0x38' }
    if (method === 'eth_getBlockByNumber' && (first as unknown) !== 'latest')
      return { error: { code: -32000, message: 'not in your plan' } }
    return { result: '0x64' }
  })

  test.each([
    ['requires a key', requiresKey, /JSON-RPC error -32000, it asks for a key or another plan\.$/],
    ['has no quota left', outOfQuota, /HTTP 429, JSON-RPC error 429, its quota is used up\.$/],
  ])('behavior: skips a node that %s, and reports its error', async (_, make, message) => {
    const [first, second] = [await make(), await startNode({ head: 100 })]
    const nodes = nodesOf(first, second)
    expect(await nodes.request(at(4))).toMatchObject({ hash: hashAt(4) })
    expect(await nodes.request(latest)).toMatchObject({ hash: hashAt(100) })
    expect(await nodes.request(logs(1, 50))).toEqual([])
    const warning = { kind: 'node_silent', node: `node 1 (${first.host})`, message: expect.stringMatching(message) }
    expect(nodes.warnings()).toMatchObject([warning])
    expect(await nodesOf(first).inspect({ block: 3, address: '0x' })).toMatchObject([warning])
  })

  test('behavior: a call by the hash of a block that the first node does not understand goes to the next one', async () => {
    const [first, second] = [await startNode({ head: 5 }), await startNode({ head: 5 })]
    const answer = (result: object) => (node: NodeProxy) => {
      const behave = node.behaviour()
      node.behave((rpc, response) => (rpc.method === 'eth_call' ? (result as never) : behave(rpc, response)))
    }
    answer({ error: { code: -32602, message: 'invalid argument 1: cannot unmarshal object into string' } })(first)
    answer({ result: '0x01' })(second)
    const call = { method: 'eth_call', params: [{}, { blockHash: hashAt(5) }] }
    expect(await nodesOf(first, second).request(call)).toBe('0x01')
  })

  test.each([
    ['does not answer', { response: 'none' }, 'refused'],
    ['lacks the state', { error: { code: -32000, message: 'missing trie node' } }, 'missing'],
  ])(
    'error: a call that one node does not understand, while the other one %s, fails at once',
    async (_, second, kind) => {
      const answers = [{ error: { code: -32602, message: 'too many arguments, want at most 2' } }, second]
      const both = await Promise.all(
        answers.map(async (answer) => {
          const node = await startNode({ head: 5 })
          node.behave(({ method }, response) => {
            if (!('error' in answer)) response.destroy()
            return 'error' in answer ? (method === 'eth_chainId' ? { result: '0x38' } : (answer as never)) : 'taken'
          })
          return node
        }),
      )
      for (const order of [both, both.toReversed()])
        await expect(nodesOf(...order).request({ method: 'eth_call', params: [{}, '0x5', {}] })).rejects.toMatchObject({
          kind,
        })
      expect(both[0]?.requests.filter(({ method }) => method === 'eth_call')).toHaveLength(2)
    },
  )

  test('behavior: a lone node that refuses the logs of all blocks counts as one without logs', async () => {
    const only = await startNode({ head: 100, hasLogs: false })
    const nodes = nodesOf(only)
    await nodes.newest()
    const header = toHeader(blockAt(90, { logsBloom: `0x${'ff'.repeat(256)}` }))
    await expect(nodes.blockLogs(header)).rejects.toMatchObject({ kind: 'unsupported' })
    expect(nodes.report()).toMatchObject({ state: 'unusable', warnings: [{ kind: 'node_without_logs' }] })
  })

  test('behavior: a request that the first node refuses goes to the next one', async () => {
    const nodes = nodesOf(await refusesBlocks(), await startNode({ head: 100 }))
    expect(await nodes.request(at(4))).toMatchObject({ hash: hashAt(4) })
  })

  test.each([
    ['a block without a hash', at(4), blockAt(4, { hash: undefined }), { hash: hashAt(4) }],
    ['a block with a malformed time', at(4), blockAt(4, { timestamp: {} }), { hash: hashAt(4) }],
    ['a block of another height', at(4), blockAt(3), { hash: hashAt(4) }],
    ['logs without a block', logs(1, 50), [logAt(4, 0, { blockHash: null })], []],
    ['logs with malformed topics', logs(1, 50), [logAt(4, 0, { topics: {} })], []],
    ['two logs with the same index', logs(1, 50), [logAt(4), logAt(4, 0, { data: '0x' })], []],
  ])('behavior: reports and skips a node that returns %s', async (_, rpc, result, expected) => {
    const first = await nodeWith(({ method, params: [block] }) => {
      if (method === 'eth_chainId') return { result: '0x38' }
      if (method === 'eth_blockNumber') return { result: '0x64' }
      return { result: (block as unknown) === 'latest' ? '0x64' : result }
    })()
    const nodes = nodesOf(first, await startNode({ head: 100 }))
    expect(await nodes.request(rpc)).toEqual(expect.objectContaining(expected))
    expect(nodes.warnings()).toMatchObject([{ kind: 'node_silent', node: `node 1 (${first.host})` }])
  })

  test.each([
    '15/second request limit reached - reduce calls per second or upgrade your account',
    "You've exceeded the RPS limit available on the current plan.",
    'credits limited to 6000/sec',
    'cu limit exceeded; Request ID: 1',
  ])('behavior: retries after "%s"', async (message) => {
    const only = await startNode({ head: 5 })
    let requests = 0
    only.behave(({ method }) => {
      if (method === 'eth_chainId') return { result: '0x38' }
      return requests++ === 0 ? { error: { code: -32005, message } } : { result: blockAt(4) }
    })
    expect(await nodesOf(only).request(at(4))).toMatchObject({ hash: hashAt(4) })
  })
})

describe('rate limits', () => {
  /** Answers with blocks. `refuses` decides by the number of requests so far, counted from 1. */
  const refusing = async (refuses: (count: number) => boolean, headers = {}) => {
    const only = await startNode({ head: 1_000 })
    let count = 0
    only.behave(({ method, params: [block] }, response) => {
      if (refuses(++count)) {
        response.writeHead(429, headers).end()
        return 'taken'
      }
      if (method === 'eth_chainId') return { result: '0x38' }
      return { result: blockAt(Number(block)) }
    })
    return only
  }
  const all = (nodes: ReturnType<typeof nodesOf>, count: number) =>
    Promise.all(Array.from({ length: count }, (_, index) => nodes.request(at(index + 1))))

  test('behavior: slows down once for a burst that is refused as a whole', async () => {
    let refusals = 0
    const only = await refusing(() => refusals-- > 0)
    const nodes = nodesOf(only)
    await nodes.request(at(1))
    const before = only.requests.length
    refusals = 12
    // Twelve rests, each twice as long as the previous one, would exceed the time limit.
    await all(nodes, 12)
    const sent = only.requests.slice(before).filter(({ method }) => method === 'eth_getBlockByNumber')
    expect(sent.length).toBeLessThanOrEqual(24)
  })

  test.each([[{}], [{ 'retry-after': '1' }]])(
    'behavior: needs little more than two requests for each answer when every second one is refused, and reports it (%j)',
    async (headers) => {
      const only = await refusing((count) => count % 2 === 0, headers)
      const nodes = createNodes({ urls: [only.url], log: (message) => logged.push(message) })
      for (let from = 1; from <= 80; from += 10)
        await Promise.all(Array.from({ length: 10 }, (_, index) => nodes.request(at(from + index))))
      const chains = only.requests.filter(({ method }) => method === 'eth_chainId').length
      expect(only.requests.length).toBeLessThanOrEqual(2 * 80 + 2 * chains)
      expect(nodes.warnings()).toMatchObject([
        {
          kind: 'node_limiting',
          message: expect.stringMatching(/ refuses \d+ % of the requests as too many/),
        },
      ])
      expect(logged.filter((message) => message.includes('as too many'))).toHaveLength(1)
    },
  )
})

describe('empty logs', () => {
  const found = [logAt(4)]
  const answers = (...inOrder: unknown[][]) => {
    let requests = 0
    return ({ method, params: [filter] }: { method: string; params: readonly unknown[] }) => {
      if (method === 'eth_getLogs') {
        const isWhole = Number((filter as { fromBlock: string }).fromBlock) <= 4
        const result = inOrder[Math.min(requests++, inOrder.length - 1)]
        return { result: isWhole ? result : [] }
      }
      return { result: method === 'eth_chainId' ? '0x38' : '0x64' }
    }
  }

  test.each([
    ['the same node returns logs the second time', [[], found], undefined, found],
    ['the next node returns logs', [[]], [found], found],
    ['the next node returns none either', [[]], [[]], []],
    ['the same node returns none twice', [[], [], found], undefined, []],
  ] as const)('behavior: %s', async (_, ofFirst, ofSecond, expected) => {
    const first = await startNode({ head: 100 })
    first.behave(answers(...(ofFirst as unknown as unknown[][])))
    const second = ofSecond && (await startNode({ head: 100 }))
    second?.behave(answers(...(ofSecond as unknown as unknown[][])))
    const nodes = nodesOf(first, ...(second ? [second] : []))
    await nodes.inspect({ block: 200, address: '0x' })
    first.behave(answers(...(ofFirst as unknown as unknown[][])))
    expect(await nodes.request(logs(1, 50))).toEqual(expected)
  })

  test('behavior: a malformed confirmation counts against the node that sent it', async () => {
    const [first, second] = [await startNode({ head: 100 }), await startNode({ head: 100 })]
    const nodes = nodesOf(first, second)
    await nodes.inspect({ block: 200, address: '0x' })
    second.behave(answers([logAt(4, 0, { topics: {} })]))
    expect(await nodes.request(logs(1, 50))).toEqual([])
    expect(nodes.warnings()).toMatchObject([{ kind: 'node_silent', node: `node 2 (${second.host})` }])
  })

  test('behavior: reports a node without the logs of the start block, if its bloom filter shows some', async () => {
    const only = await startNode({ head: 1_000 })
    only.behave(({ method }) => {
      if (method === 'eth_getBlockByNumber') return { result: blockAt(3, { logsBloom: `0x${'10'.repeat(256)}` }) }
      return { result: method === 'eth_getLogs' ? [] : method === 'eth_chainId' ? '0x38' : '0x3e8' }
    })
    expect(await nodesOf(only).inspect({ block: 3, address: '0x' })).toMatchObject([{ kind: 'node_without_history' }])
  })
})

describe('logs without their topics or data', () => {
  const event = parseAbiItem('event Bound(address indexed user, address indexed by, uint256 at)')
  const [topic] = encodeEventTopics({ abi: [event] })
  const whole = (number: number) =>
    logAt(number, 0, { topics: [topic, hashAt(1), hashAt(2)], data: hashAt(3), address: contract })
  const cut = (number: number) => ({ ...whole(number), topics: [topic] })
  const contract = `0x${'c0'.repeat(20)}` as const
  const node = async (read: (number: number) => object) => {
    const started = await startNode({ head: 100 })
    started.behave(({ method, params: [filter] }) => {
      if (method !== 'eth_getLogs') return { result: method === 'eth_chainId' ? '0x38' : '0x64' }
      const { fromBlock, toBlock } = filter as unknown as Record<'fromBlock' | 'toBlock', string>
      return { result: [4, 60].filter((number) => number >= Number(fromBlock) && number <= Number(toBlock)).map(read) }
    })
    return started
  }
  const open = async (proven: 'proven' | 'unproven', ...nodes: NodeProxy[]) => {
    const events = [{ address: contract, event }]
    const urls = nodes.map(({ url }) => url)
    const opened = createNodes({
      urls,
      events,
      proven: proven === 'proven' ? events : [],
      log: (message) => logged.push(message),
      patience: 500,
    })
    await opened.inspect({ block: 200, address: contract })
    return opened
  }

  test('behavior: the next node is asked if it has them whole', async () => {
    const [first, second] = [await node(cut), await node(whole)]
    const nodes = await open('unproven', first, second)
    expect(await nodes.request(logs(1, 99))).toEqual([whole(4), whole(60)])
    expect(nodes.warnings()).toMatchObject([
      {
        kind: 'node_silent',
        node: `node 1 (${first.host})`,
        message: expect.stringContaining('it returned a Bound event with 1 of 3 topics'),
      },
    ])
  })

  test('behavior: they count if the next node has the same', async () => {
    const nodes = await open('proven', await node(cut), await node(cut))
    expect(await nodes.request(logs(1, 99))).toEqual([cut(4), cut(60)])
    expect(nodes.warnings()).toEqual([])
  })

  test('behavior: from the only node they count while no log had the configured shape', async () => {
    const only = await node(cut)
    const nodes = await open('unproven', only)
    expect(await nodes.request(logs(1, 50))).toEqual([cut(4)])
    only.behave(({ method }) => ({ result: method === 'eth_getLogs' ? [whole(51)] : '0x38' }))
    expect(await nodes.request(logs(51, 51))).toEqual([whole(51)])
    only.behave(({ method }) => ({ result: method === 'eth_getLogs' ? [cut(52)] : '0x38' }))
    await expect(nodes.request(logs(52, 52))).rejects.toThrow('it returned a Bound event with 1 of 3 topics')
  })

  test('behavior: from the only node they do not count if the index has the event', async () => {
    const only = await node(cut)
    const nodes = await open('proven', only)
    await expect(nodes.request(logs(1, 50))).rejects.toThrow('it returned a Bound event with 1 of 3 topics')
    only.behave(({ method }) => ({ result: method === 'eth_getLogs' ? [whole(4)] : '0x38' }))
    expect(await nodes.request(logs(1, 50))).toEqual([whole(4)])
    expect(nodes.warnings()).toEqual([])
  })

  test('behavior: from the only node they count once it has returned them for a minute', async () => {
    vi.useFakeTimers({ toFake: ['performance'] })
    const only = await node((number) => (number === 4 ? cut(4) : whole(number)))
    const nodes = await open('proven', only)
    for (const range of [logs(1, 50), logs(1, 99), logs(1, 50)])
      await expect(nodes.request(range)).rejects.toThrow('1 of 3 topics')
    vi.advanceTimersByTime(61_000)
    expect(await nodes.request(logs(1, 99))).toEqual([cut(4), whole(60)])
    expect(await nodes.request(logs(1, 50))).toEqual([cut(4)])
    expect(logged.filter((message) => message.includes('1 of 3 topics'))).toHaveLength(2)
  })

  test('behavior: a form that another node confirmed does not hide a log that is really cut', async () => {
    const odd = (number: number) => ({ ...whole(number), data: '0x' as const })
    const first = await node((number) => (number === 4 ? odd(4) : cut(number)))
    const second = await node((number) => (number === 4 ? odd(4) : whole(number)))
    const nodes = await open('proven', first, second)
    expect(await nodes.request(logs(1, 99))).toEqual([odd(4), whole(60)])
    expect(nodes.warnings()).toMatchObject([{ kind: 'node_silent', node: `node 1 (${first.host})` }])
  })

  test('behavior: other events of any shape count', async () => {
    const strange = { ...whole(4), topics: [hashAt(9)], data: '0x' }
    const nodes = await open('proven', await node(() => strange))
    expect(await nodes.request(logs(1, 50))).toEqual([strange])
  })
})

describe('heads', () => {
  test('behavior: never goes back to an older block of the same chain', async () => {
    const script: Script = { head: 100 }
    const nodes = nodesOf(await startNode(script))
    await nodes.request(at(97))
    await nodes.request(latest)
    script.head = 97
    expect(await nodes.request(latest)).toMatchObject({ hash: hashAt(100) })
    expect((await nodes.newest()).number).toBe(100)
  })

  test('behavior: passes on a lower head after a reorganisation', async () => {
    const script: Script = { head: 100 }
    const nodes = nodesOf(await startNode(script))
    await nodes.request(latest)
    Object.assign(script, { head: 98, fork: () => 'b' })
    expect(await nodes.request(latest)).toMatchObject({ hash: hashAt(98, 'b') })
    Object.assign(script, { head: 99 })
    expect(await nodes.request(latest)).toMatchObject({ hash: hashAt(99, 'b') })
  })

  test('behavior: skips a node that stands still, and keeps the head while it is the only one', async () => {
    const script: Script = { head: 1_000 }
    const [first, second] = [await startNode(script), await startNode({ head: 1_001 })]
    const nodes = nodesOf(first, second)
    await nodes.request(latest)
    Object.assign(script, { head: 900, fork: () => 'b' })
    expect(await nodes.request(latest)).toMatchObject({ hash: hashAt(1_001) })
    expect(nodes.warnings()).toMatchObject([{ kind: 'node_behind', node: `node 1 (${first.host})` }])
    await second.stop()
    expect(await nodes.request(latest)).toMatchObject({ hash: hashAt(1_001) })
    await second.listen()
  })

  test('behavior: a number far above, returned once, does not make a lone node count as behind', async () => {
    const script = { head: 5_000 }
    const nodes = nodesOf(await startNode(script))
    await nodes.request(latest)
    script.head = 1_005_000
    await nodes.request(logs(5_001, 5_001))
    for (const head of [5_001, 5_002, 5_003]) {
      script.head = head
      await nodes.request(latest)
      expect(await nodes.request(logs(head, head))).toEqual([])
    }
  })

  test('behavior: a head far above the other nodes needs a second one', async () => {
    vi.useFakeTimers({ toFake: ['performance'] })
    const [first, second] = [{ head: 100 }, { head: 101 }]
    const nodes = nodesOf(await startNode(first), await startNode(second))
    await nodes.request(latest)
    first.head = 5_000_000
    expect(await nodes.request(latest)).toMatchObject({ hash: hashAt(101) })
    expect(nodes.warnings()).toMatchObject([{ kind: 'node_silent', message: expect.stringContaining('far above') }])
    second.head = 5_000_001
    // The first node still rests.
    vi.advanceTimersByTime(50)
    expect(await nodes.request(latest)).toMatchObject({ hash: hashAt(5_000_001) })
    vi.advanceTimersByTime(5_000)
    first.head = 5_000_002
    expect(await nodes.request(latest)).toMatchObject({ hash: hashAt(5_000_002) })
    expect(nodes.warnings()).toEqual([])
  })

  test.each([
    ['a head reported less than a minute ago confirms', 55_000, 5_000_001],
    ['a head reported more than a minute ago does not confirm', 61_000, 101],
  ])('behavior: %s another one far above the last', async (_, age, expected) => {
    vi.useFakeTimers({ toFake: ['performance'] })
    const [first, second] = [{ head: 5_000_000 }, { head: 100 }]
    const one = await startNode(first)
    const nodes = nodesOf(await startNode(second), one, await startNode({ head: 101 }))
    await nodes.request(latest)
    second.head = 50
    expect(await nodes.request(latest)).toMatchObject({ hash: hashAt(101) })
    await one.stop()
    vi.advanceTimersByTime(age)
    second.head = 5_000_001
    expect(await nodes.request(latest)).toMatchObject({ hash: hashAt(expected) })
    await one.listen()
  })

  test.each([
    ['first', 2_000_000, 5_000_000],
    ['second', 5_000_000, 2_000_000],
  ])('behavior: of two heads far above the last one, the lower one of the %s node is accepted', async (_, ...after) => {
    const [first, second] = [{ head: 100 }, { head: 100 }]
    const nodes = nodesOf(await startNode(first), await startNode(second))
    await nodes.request(latest)
    first.head = after[0]
    second.head = after[1]
    expect(await nodes.request(latest)).toMatchObject({ hash: hashAt(2_000_000) })
    expect(nodes.warnings()).toMatchObject([{ kind: 'node_silent', message: expect.stringContaining('far above') }])
  })

  test('behavior: a node has logs up to its head again after a false one', async () => {
    vi.useFakeTimers({ toFake: ['performance'] })
    const script = { head: 100 }
    const nodes = nodesOf(await startNode(script), await startNode({ head: 101 }))
    await nodes.request(latest)
    for (const head of [5_000_000, 102, 200]) {
      script.head = head
      await nodes.request(latest)
      vi.advanceTimersByTime(5_000)
    }
    expect(await nodes.request(logs(110, 200))).toEqual([])
    expect(await nodes.request({ method: 'eth_getBlockByNumber', params: ['latest', false] })).toMatchObject({
      hash: hashAt(200),
    })
  })

  test('behavior: a node far below the start block does not hold back another one', async () => {
    const [good, syncing] = [await startNode({ head: 60_000 }), await startNode({ head: 100 })]
    const nodes = createNodes({ urls: [good.url, syncing.url], startBlock: 50_000, patience: 500 })
    await nodes.inspect({ block: 50_000, address: '0x' })
    expect(await nodes.request(latest)).toMatchObject({ hash: hashAt(60_000) })
  })

  test('behavior: a false head at the start is refused, and does not stop the head later', async () => {
    const script: Script = { head: 20_361 }
    const honest = [await startNode({ head: 361 }), await startNode({ head: 361 })]
    const nodes = nodesOf(await startNode(script), ...honest)
    await nodes.inspect({ block: 3, address: '0x' })
    expect(await nodes.request(latest)).toMatchObject({ hash: hashAt(361) })
    script.head = 362
    await expect.poll(() => nodes.request(latest)).toMatchObject({ hash: hashAt(362) })
    expect(nodes.warnings()).toEqual([])
  })

  test('behavior: a false head is refused while the other node is busy', async () => {
    const [liar, other] = [{ head: 100 }, await startNode({ head: 101 })]
    const nodes = nodesOf(await startNode(liar), other)
    await nodes.inspect({ block: 3, address: '0x' })
    await nodes.request(latest)
    liar.head = 5_000_000
    const honest = other.behaviour()
    other.behave((_, response) => {
      response.writeHead(429).end()
      return 'taken'
    })
    expect(await nodes.request(latest)).toMatchObject({ hash: hashAt(100) })
    expect((await nodes.newest()).number).toBe(100)
    other.behave(honest)
    await expect.poll(() => nodes.request(latest)).toMatchObject({ hash: hashAt(101) })
  })

  test('behavior: a head far above the last one is accepted after the other nodes were silent for a minute', async () => {
    vi.useFakeTimers({ toFake: ['performance'] })
    const first = { head: 100 }
    const [one, other] = [await startNode(first), await startNode({ head: 100 })]
    const nodes = nodesOf(one, other)
    await nodes.request(latest)
    await other.stop()
    first.head = 5_000_000
    expect(await nodes.request(latest)).toMatchObject({ hash: hashAt(100) })
    vi.advanceTimersByTime(61_000)
    expect(await nodes.request(latest)).toMatchObject({ hash: hashAt(5_000_000) })
    await other.listen()
  })

  test('behavior: a head far above the last one is accepted a minute after the other node stopped answering', async () => {
    vi.useFakeTimers({ toFake: ['performance'] })
    const first = { head: 100 }
    const [one, other] = [await startNode(first), await startNode({ head: 100 })]
    const nodes = nodesOf(one, other)
    await nodes.request(latest)
    first.head = 5_000_000
    await nodes.request(latest)
    vi.advanceTimersByTime(50_000)
    expect(await nodes.request(latest)).toMatchObject({ hash: hashAt(100) })
    await other.stop()
    vi.advanceTimersByTime(50_000)
    expect(await nodes.request(latest)).toMatchObject({ hash: hashAt(100) })
    vi.advanceTimersByTime(61_000)
    expect(await nodes.request(latest)).toMatchObject({ hash: hashAt(5_000_000) })
    await other.listen()
  })

  test('behavior: a false head is refused when the other node is busy long after it contradicted it', async () => {
    vi.useFakeTimers({ toFake: ['performance'] })
    const [liar, lagging] = [{ head: 100 }, await startNode({ head: 50 })]
    const broken = await startNode({ head: 100 })
    const nodes = nodesOf(await startNode(liar), lagging, broken)
    await nodes.request(latest)
    broken.behave(() => {
      // The refusal comes later than the answer of the lagging node.
      vi.advanceTimersByTime(1)
      throw new Error()
    })
    liar.head = 5_000_000
    expect(await nodes.request(latest)).toMatchObject({ hash: hashAt(100) })
    vi.advanceTimersByTime(600_000)
    lagging.behave((_, response) => {
      response.writeHead(429).end()
      return 'taken'
    })
    expect(await nodes.request(latest)).toMatchObject({ hash: hashAt(100) })
  })

  describe('a good node, and one that lags', () => {
    const startBoth = async () => {
      vi.useFakeTimers({ toFake: ['performance'] })
      const [good, slow] = [{ head: 10_000 }, { head: 8_000 }]
      const proxy = await startNode(good)
      const nodes = nodesOf(proxy, await startNode(slow))
      const pass = async (seconds: number) => {
        for (let second = 0; second < seconds; second += 5) {
          vi.advanceTimersByTime(5_000)
          good.head += 10
          slow.head += 10
          await nodes.request(latest)
        }
        return nodes.request(latest)
      }
      return { good, slow, proxy, nodes, pass }
    }

    test('behavior: the good node is used again after an outage', async () => {
      const { good, slow, proxy, nodes, pass } = await startBoth()
      await nodes.request(latest)
      await proxy.stop()
      // The slow node passes the last head.
      await pass(1_010)
      expect(await nodes.request(latest)).toMatchObject({ hash: hashAt(slow.head) })
      await proxy.listen()
      expect(await pass(60)).toMatchObject({ hash: hashAt(slow.head) })
      expect(await pass(120)).toMatchObject({ hash: hashAt(good.head) })
    })

    test('behavior: the good node is used after a start with both', async () => {
      const { good, slow, nodes, pass } = await startBoth()
      await nodes.inspect({ block: 3, address: '0x' })
      expect(await pass(60)).toMatchObject({ hash: hashAt(slow.head) })
      expect(await pass(120)).toMatchObject({ hash: hashAt(good.head) })
    })
  })

  test('behavior: a node with a false head is reported once, and gets fewer and fewer requests', async () => {
    vi.useFakeTimers({ toFake: ['performance'] })
    const liar = { head: 100 }
    const first = await startNode(liar)
    const nodes = nodesOf(first, await startNode({ head: 101 }))
    await nodes.inspect({ block: 3, address: '0x' })
    await nodes.request(latest)
    liar.head = 5_000_000
    logged.splice(0)
    first.requests.splice(0)
    for (let poll = 0; poll < 100; poll++) {
      vi.advanceTimersByTime(150)
      await nodes.request(latest)
    }
    expect(logged).toEqual([expect.stringContaining('far above')])
    expect(first.requests.filter(({ method }) => method === 'eth_getBlockByNumber').length).toBeLessThan(12)
    expect((await nodes.newest()).number).toBe(101)
    liar.head = 102
    vi.advanceTimersByTime(5_000)
    expect(await nodes.request(latest)).toMatchObject({ hash: hashAt(102) })
    expect(logged.slice(1)).toEqual([expect.stringContaining('answers again')])
  })

  test('behavior: a block from the future counts against its node', async () => {
    const future = { head: 5, timestamp: Math.round(Date.now() / 1_000) + 2 * 86_400 }
    const [first, second] = [await startNode(future), await startNode({ head: 5 })]
    const nodes = nodesOf(first, second)
    expect(await nodes.request(at(4))).toMatchObject({ timestamp: blockAt(4).timestamp })
    expect(nodes.warnings()).toMatchObject([{ message: expect.stringContaining('from the future') }])
    const alone = nodesOf(await startNode(future))
    await expect(alone.request(at(4))).rejects.toThrow('it returned a block from the future')
  })

  test('behavior: a batch of headers leaves out those from the future', async () => {
    const script: Script = { head: 9 }
    const nodes = nodesOf(await startNode(script), await startNode({ head: 9 }))
    await nodes.inspect({ block: 3, address: '0x' })
    script.timestamp = Math.round(Date.now() / 1_000) + 2 * 86_400
    const numbers = [4, 5, 6, 7]
    const headers = await nodes.openHistory().headers(numbers)
    expect(numbers.map((number) => headers.get(number))).toMatchObject(
      numbers.map((number) => ({ hash: hashAt(number), timestamp: blockAt(number).timestamp })),
    )
  })

  test('behavior: skips a node below the finalized block of the index', async () => {
    const script: Script = { head: 129 }
    const [first, second] = [await startNode(script), await startNode({ head: 140 })]
    const nodes = createNodes({ urls: [first.url, second.url], finalizedBlock: 100, patience: 500 })
    expect(await nodes.inspect({ block: 3, address: '0x' })).toMatchObject([
      { kind: 'node_behind', node: `node 1 (${first.host})`, message: expect.stringContaining('is 1 blocks behind') },
    ])
    expect(nodes.canRead()).toBe(true)
    expect(await nodes.request(latest)).toMatchObject({ hash: hashAt(140) })
    script.head = 141
    expect(await nodes.request(latest)).toMatchObject({ hash: hashAt(141) })
    expect(nodes.warnings()).toEqual([])
  })

  test('error: every node is below the finalized block of the index', async () => {
    const script: Script = { head: 129 }
    const nodes = createNodes({ urls: [(await startNode(script)).url], finalizedBlock: 100, patience: 500 })
    await nodes.inspect({ block: 3, address: '0x' })
    expect(nodes.canRead()).toBe(false)
    await expect(nodes.request(latest)).rejects.toThrow('No node has reached block 130 yet')
    script.head = 130
    await nodes.inspect({ block: 3, address: '0x' })
    expect(nodes.canRead()).toBe(true)
    expect(await nodes.request(latest)).toMatchObject({ hash: hashAt(130) })
  })

  test('behavior: does not return null for a final block that a node lacks', async () => {
    const only = await startNode({ head: 100 })
    const nodes = nodesOf(only)
    await nodes.request(latest)
    only.behave(({ method }) => ({ result: method === 'eth_chainId' ? '0x38' : null }))
    await expect(nodes.request(at(50))).rejects.toMatchObject({ kind: 'missing', rpcError: undefined })
    expect(await nodes.request(at(90))).toBeNull()
  })

  describe('two nodes behind one URL, 60 blocks apart, answering in turns', () => {
    const startBoth = async () => {
      const script: Script = { head: 200 }
      const only = await startNode(script)
      const answer = only.behaviour()
      let count = 0
      only.behave((rpc, response) => {
        script.head = ++count % 2 ? 200 : 140
        return answer(rpc, response)
      })
      const nodes = nodesOf(only)
      await nodes.inspect({ block: 3, address: '0x' })
      return nodes
    }

    test('behavior: returns the newer head', async () => {
      const nodes = await startBoth()
      await expect.poll(() => nodes.request(latest)).toMatchObject({ hash: hashAt(200) })
      for (let times = 0; times < 4; times++) expect(await nodes.request(latest)).toMatchObject({ hash: hashAt(200) })
    })

    test('error: logs above the lower of the two heads', async () => {
      const nodes = await startBoth()
      expect(await nodes.request(logs(100, 140))).toEqual([])
      await expect(nodes.request(logs(100, 141))).rejects.toMatchObject({ kind: 'missing' })
    })

    test('behavior: retries a block that one of them lacks until the other answers', async () => {
      const nodes = await startBoth()
      await expect.poll(() => nodes.request(latest)).toMatchObject({ hash: hashAt(200) })
      for (const number of [150, 171, 199, 200])
        expect(await nodes.request(at(number))).toMatchObject({ hash: hashAt(number) })
    })
  })

  test('error: the start block is still to come', async () => {
    const script: Script = { head: 40 }
    const only = await startNode(script)
    const nodes = createNodes({ urls: [only.url], startBlock: 50 })
    const message = `node 1 (${only.host}) is at block 40, but the first community starts at block 50. Check startBlock, or wait.`
    expect(await nodes.inspect({ block: 50, address: '0x' })).toMatchObject([{ kind: 'node_behind', message }])
    expect(nodes.canRead()).toBe(false)
    script.head = 50
    await nodes.inspect({ block: 50, address: '0x' })
    expect(nodes.canRead()).toBe(true)
  })

  test('behavior: requests logs from a node whose head is high enough', async () => {
    const [first, second] = [await startNode({ head: 90 }), await startNode({ head: 100 })]
    await nodesOf(first, second).request(logs(80, 95))
    expect(first.requests.map(({ method }) => method)).not.toContain('eth_getLogs')
    expect(second.requests.map(({ method }) => method)).toContain('eth_getLogs')
  })
})

describe('logs a node does not serve', () => {
  test('behavior: eth_getLogs is off', async () => {
    const [first, second] = [await startNode({ head: 100, hasLogs: false }), await startNode({ head: 100 })]
    const nodes = nodesOf(first, second)
    expect(await nodes.inspect({ block: 3, address: '0x' })).toMatchObject([
      {
        kind: 'node_without_logs',
        node: `node 1 (${first.host})`,
        message: `node 1 (${first.host}) does not serve eth_getLogs for ranges of blocks. Use another node.`,
      },
    ])
    expect(nodes.canRead()).toBe(true)
    const before = first.requests.length
    await nodes.request(logs(1, 50))
    expect(first.requests).toHaveLength(before)
  })

  test('error: no node has logs', async () => {
    const nodes = nodesOf(await startNode({ head: 100, hasLogs: false }))
    await nodes.inspect({ block: 3, address: '0x' })
    expect(nodes.canRead()).toBe(false)
    await expect(nodes.request(logs(1, 50))).rejects.toThrow(/does not serve eth_getLogs for ranges/)
  })

  test('behavior: skips a node that does not keep the start block', async () => {
    const [first, second] = [await startNode({ head: 1_000, from: 900 }), await startNode({ head: 1_000 })]
    const nodes = nodesOf(first, second)
    expect(await nodes.inspect({ block: 3, address: '0x' })).toMatchObject([{ kind: 'node_without_history' }])
    await nodes.request(logs(3, 50))
    const { params } = logs(3, 50)
    expect(first.requests.map(({ params }) => params)).not.toContainEqual(params)
    expect(second.requests.map(({ params }) => params)).toContainEqual(params)
  })

  test.each([
    ['Maximum allowed number of requested blocks is 10', 10],
    ['no', 0],
  ])('error: a range that is too wide ("%s")', async (message, maxBlocks) => {
    const only = await startNode({ head: 1_000 })
    only.behave(({ method }) =>
      method === 'eth_getLogs'
        ? { error: { code: -32000, message } }
        : { result: method === 'eth_chainId' ? '0x38' : '0x3e8' },
    )
    await expect(nodesOf(only).request(logs(1, 500))).rejects.toMatchObject({ maxBlocks })
  })

  test('error: requires a smaller range after a gateway timed out on it twice', async () => {
    const only = await startNode({ head: 1_000 })
    only.behave(({ method }, response) => {
      if (method !== 'eth_getLogs') return { result: method === 'eth_chainId' ? '0x38' : '0x3e8' }
      response.writeHead(504).end('<html>Gateway Time-out</html>')
      return 'taken'
    })
    await expect(nodesOf(only).request(logs(1, 500))).rejects.toBeInstanceOf(TooWideError)
  })

  test('error: requires a smaller range where the logs are longer than 32 MB, and the node stays usable', async () => {
    const only = await startNode({ head: 1_000 })
    only.behave(({ method }) => {
      if (method !== 'eth_getLogs') return { result: method === 'eth_chainId' ? '0x38' : '0x3e8' }
      return { result: [logAt(4, 0, { data: `0x${'00'.repeat(17 * 1024 * 1024)}` })] }
    })
    const nodes = nodesOf(only)
    await expect(nodes.request(logs(1, 500))).rejects.toBeInstanceOf(TooWideError)
    expect(nodes.warnings()).toEqual([])
  })

  test('behavior: requests a range that is too wide for the first node from the second', async () => {
    const [first, second] = [await startNode({ head: 1_000 }), await startNode({ head: 1_000 })]
    first.behave(({ method }) =>
      method === 'eth_getLogs'
        ? { error: { code: -32000, message: 'up to a 10 block range' } }
        : { result: method === 'eth_chainId' ? '0x38' : '0x3e8' },
    )
    const nodes = nodesOf(first, second)
    expect(await nodes.request(logs(1, 500))).toEqual([])
    expect(await nodes.request(logs(501, 900))).toEqual([])
    expect(first.requests.filter(({ method }) => method === 'eth_getLogs')).toHaveLength(1)
  })
})

describe('all logs of a block', () => {
  const values = [numberToHex(1, { size: 32 }), numberToHex(2, { size: 32 }), numberToHex(3, { size: 32 })] as const
  const all = values.map((topic, index) => logAt(4, index, { topics: [topic] }))
  const header = toHeader(blockAt(4, { logsBloom: bloomOf(all as HistoryLog[]) }))

  /** Starts a node that returns these logs by hash, and those by number. */
  const startWith = async (byHash: readonly object[], byNumber = byHash) => {
    const node = await startNode({ head: 100 })
    const answer = node.behaviour()
    node.behave((rpc, response) => {
      if (rpc.method !== 'eth_getLogs') return answer(rpc, response)
      return { result: 'blockHash' in (rpc.params[0] as unknown as object) ? byHash : byNumber }
    })
    return node
  }

  test.each([
    ['the first one is missing', all.slice(1)],
    ['the last one is missing', all.slice(0, -1)],
    ['the list is empty', []],
    ['one has lost its topics', [...all.slice(0, 2), logAt(4, 2, { topics: [] })]],
    [
      'one has another address',
      [...all.slice(0, 2), { ...all[2], address: '0x00000000000000000000000000000000000000aa' }],
    ],
  ])('behavior: if %s, the next node is asked at once, and the first one is named', async (_, byHash) => {
    const [first, second] = [await startWith(byHash), await startWith(all)]
    const nodes = nodesOf(first, second)
    const found = await nodes.blockLogs(header)
    expect(found).toEqual(all)
    expect(nodes.nodeOf(found)).toBe(`node 2 (${second.host})`)
    expect(nodes.warnings()).toMatchObject([{ kind: 'node_silent', node: `node 1 (${first.host})` }])
    expect(second.requests.filter(({ method }) => method === 'eth_getLogs')).toHaveLength(1)
  })

  test('error: no receipts are requested from a node that refuses requests as too many', async () => {
    const only = await startNode({ head: 100 })
    const answer = only.behaviour()
    only.behave((rpc, response) =>
      rpc.method === 'eth_getLogs' ? { error: { code: 429, message: '' } } : answer(rpc, response),
    )
    await expect(nodesOf(only).blockLogs({ ...toHeader(blockAt(4)), receiptsRoot: hashAt(4) })).rejects.toMatchObject({
      kind: 'rate_limited',
    })
    expect(only.requests.filter(({ method }) => method === 'eth_getBlockReceipts')).toEqual([])
  })

  test('behavior: a node that was wrong is asked after the others for an hour', async () => {
    const [first, second] = [await startWith(all.slice(1)), await startWith(all)]
    const nodes = nodesOf(first, second)
    vi.useFakeTimers({ toFake: ['performance'] })
    await nodes.blockLogs(header)
    first.behave(second.behaviour())
    const countFirst = async () => {
      const before = first.requests.length
      vi.advanceTimersByTime(1_000)
      for (const number of [1, 2, 3]) await nodes.request(at(number))
      return first.requests.length - before
    }
    expect(await countFirst()).toBe(0)
    vi.advanceTimersByTime(3_600_000)
    expect(await countFirst()).toBeGreaterThan(0)
    nodes.distrust(`node 1 (${first.host})`)
    expect(await countFirst()).toBe(0)
  })

  test('behavior: logs that the only node leaves out by hash are read by number', async () => {
    const nodes = nodesOf(await startWith(all.slice(1), all))
    expect(await nodes.blockLogs(header)).toEqual(all)
  })

  test('behavior: a node that left logs out stays named, though it answers well since', async () => {
    const nodes = nodesOf(await startWith(all.slice(1), all))
    expect(await nodes.blockLogs(header)).toEqual(all)
    const warning = { kind: 'node_silent', message: expect.stringContaining('logs of block 4') }
    expect(nodes.report()).toMatchObject({ state: 'usable', warnings: [warning] })
  })

  test('behavior: exact repeats are dropped', async () => {
    const nodes = nodesOf(await startWith([...all, ...all]))
    expect(await nodes.blockLogs(header)).toEqual(all)
    expect(nodes.warnings()).toEqual([])
  })

  test('error: no node has all of them', async () => {
    await expect(nodesOf(await startWith(all.slice(1))).blockLogs(header)).rejects.toThrow(
      'logs of block 4 that do not match its bloom filter',
    )
  })
})
