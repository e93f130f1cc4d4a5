import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { type NodeProxy, startProxy } from '../test/proxy.ts'
import { createNodes } from './createNodes.ts'

const made: NodeProxy[] = []
const logged: string[] = []
beforeEach(() => logged.splice(0))
afterEach(async () => {
  for (const node of made.splice(0)) await node.stop()
})

/** A chain of blocks made of nothing: `fork` tells one from another at the same height. */
type Script = { head: number; fork?: (number: number) => string; chainId?: number; hasLogs?: false; from?: number }

const hashAt = (number: number, fork = '') => `0x${number}${fork}`

async function node(script: Script) {
  const blockAt = (number: number) => ({
    number: `0x${number.toString(16)}`,
    hash: hashAt(number, script.fork?.(number)),
    parentHash: hashAt(number - 1, script.fork?.(number - 1)),
  })
  const made1 = await startProxy('', ({ method, params: [first] }) => {
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
      return { result: number > script.head || number < (script.from ?? 0) ? null : blockAt(number) }
    }
    return undefined
  })
  made.push(made1)
  return made1
}

const nodesOf = (...nodes: NodeProxy[]) =>
  createNodes({ urls: nodes.map(({ url }) => url), log: (message) => logged.push(message), patience: 1_500 })

const latest = { method: 'eth_getBlockByNumber', params: ['latest', true] }
const at = (number: number) => ({ method: 'eth_getBlockByNumber', params: [`0x${number.toString(16)}`, true] })
const logs = (from: number, to: number) => ({
  method: 'eth_getLogs',
  params: [{ fromBlock: `0x${from.toString(16)}`, toBlock: `0x${to.toString(16)}` }],
})

describe('which node is asked', () => {
  test('behavior: the first as long as it answers, then the next, and the first again', async () => {
    const [first, second] = [await node({ head: 5 }), await node({ head: 6 })]
    const nodes = nodesOf(first, second)
    expect(await nodes.request(at(6))).toMatchObject({ hash: '0x6' })
    await first.stop()
    expect(await nodes.request(at(5))).toMatchObject({ hash: '0x5' })
    expect(nodes.warnings()).toMatchObject([{ kind: 'node_silent', node: first.host }])
    await first.listen()
    await expect.poll(async () => (await nodes.request(at(4))) && nodes.warnings()).toEqual([])
    expect(logged.join()).toContain(`${first.host} answers again.`)
  })

  test('behavior: one of another chain is never mixed in, and named without its key', async () => {
    const [foreign, right] = [await node({ head: 9, chainId: 1 }), await node({ head: 5 })]
    const nodes = nodesOf(foreign, right)
    expect(await nodes.request(latest)).toMatchObject({ hash: '0x5' })
    expect(foreign.asked.map(({ method }) => method)).toEqual(['eth_chainId'])
    expect(nodes.warnings()).toMatchObject([
      { kind: 'node_other_chain', message: expect.stringMatching(/is a node of chain 1, not of BNB Smart Chain/) },
    ])
    expect(logged.join()).not.toContain('secret-key')
  })

  test('behavior: one whose address leads to another chain after an outage is refused', async () => {
    const script: Script = { head: 5 }
    const [first, second] = [await node(script), await node({ head: 5 })]
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
    ['a block', () => at(4), { hash: '0x4' }],
    ['a head', () => latest, { hash: '0x60' }],
    ['a height', () => ({ method: 'eth_blockNumber', params: [] }), '0x3c'],
  ])(
    'behavior: %s of one whose address leads to another chain, without an outage, is not passed on',
    async (_, ask, expected) => {
      const script: Script = { head: 60 }
      const [first, second] = [await node(script), await node({ head: 60 })]
      const nodes = nodesOf(first, second)
      expect(await nodes.request(at(5))).toMatchObject({ hash: '0x5' })
      Object.assign(script, { chainId: 97, head: 70, fork: () => 'of97' })
      const before = first.asked.length
      expect(await nodes.request(ask())).toMatchObject(expected as object)
      expect(first.asked.length).toBeGreaterThan(before)
      expect(nodes.warnings()).toMatchObject([{ kind: 'node_other_chain', node: first.host }])
    },
  )

  test('behavior: a head that follows the one before needs no more than itself', async () => {
    const script: Script = { head: 5 }
    const only = await node(script)
    const nodes = nodesOf(only)
    await nodes.request(latest)
    const before = only.asked.length
    script.head = 6
    expect(await nodes.request(latest)).toMatchObject({ hash: '0x6' })
    expect(only.asked.slice(before).map(({ method }) => method)).toEqual(['eth_getBlockByNumber'])
  })

  test('error: nodes of different chains with the same id', async () => {
    const [first, second] = [await node({ head: 9 }), await node({ head: 9, fork: () => 'b' })]
    await expect(nodesOf(first, second).inspect({ block: 3, address: '0x' })).rejects.toThrow(
      /have different blocks 3: they are of different chains with the same id 56/,
    )
  })

  test('error: none answers', async () => {
    const gone = await node({ head: 5 })
    await gone.stop()
    await expect(nodesOf(gone).request(latest)).rejects.toThrow()
    await gone.listen()
  })

  test('behavior: one that is asked too often rests as long as it says, and nothing is lost', async () => {
    const only = await node({ head: 5 })
    const nodes = nodesOf(only)
    await nodes.request(latest)
    let refused = 0
    only.behave(({ method }, response) => {
      if (method === 'eth_chainId') return { result: '0x38' }
      if (refused++ > 2) return { result: { number: '0x4', hash: '0x4' } }
      response.writeHead(429, { 'retry-after': '0' }).end('slow down')
      return 'taken'
    })
    expect(await nodes.request(at(4))).toMatchObject({ hash: '0x4' })
    expect(refused).toBe(4)
  })

  test.each([
    ['a reverted call', { code: 3, message: 'execution reverted' }],
    ['parameters that are wrong', { code: -32602, message: 'invalid argument 0' }],
  ])('error: %s is answered at once by the first', async (_, error) => {
    const [first, second] = [await node({ head: 5 }), await node({ head: 5 })]
    first.behave(({ method }) => (method === 'eth_chainId' ? { result: '0x38' } : { error }))
    await expect(nodesOf(first, second).request({ method: 'eth_call', params: [] })).rejects.toMatchObject({
      rpcError: error,
    })
    expect(second.asked).toEqual([])
  })

  test.each(['<html>', '', 'null', '{"jsonrpc":"2.0"}', '[]'])('error: %j is no answer', async (text) => {
    const [first, second] = [await node({ head: 5 }), await node({ head: 5 })]
    first.behave((_, response) => {
      response.end(text)
      return 'taken'
    })
    expect(await nodesOf(first, second).request(latest)).toMatchObject({ hash: '0x5' })
  })
})

describe('nodes that will not', () => {
  const of = (behaviour: Parameters<NodeProxy['behave']>[0]) => async () => {
    const made1 = await node({ head: 100 })
    made1.behave(behaviour)
    return made1
  }
  const wantsKey = of(() => ({ error: { code: -32000, message: 'Unauthorized: authenticate with an API key' } }))
  const outOfQuota = of((_, response) => {
    const error = { code: 429, message: 'Monthly capacity limit exceeded' }
    response.writeHead(429).end(JSON.stringify({ error }))
    return 'taken'
  })
  const changesItsMind = of(({ method, params: [first] }) => {
    if (method === 'eth_chainId') return { result: '0x38' }
    if (method === 'eth_getBlockByNumber' && (first as unknown) !== 'latest')
      return { error: { code: -32000, message: 'not in your plan' } }
    return { result: '0x64' }
  })

  test.each([
    ['wants a key', wantsKey, /Unauthorized/],
    ['has no quota left', outOfQuota, /Monthly capacity limit exceeded/],
  ])('behavior: one that %s is passed over, and its words are told', async (_, make, words) => {
    const [first, second] = [await make(), await node({ head: 100 })]
    const nodes = nodesOf(first, second)
    expect(await nodes.request(at(4))).toMatchObject({ hash: '0x4' })
    expect(await nodes.request(latest)).toMatchObject({ hash: '0x100' })
    expect(await nodes.request(logs(1, 50))).toEqual([])
    const warning = { kind: 'node_silent', node: first.host, message: expect.stringMatching(words) }
    expect(nodes.warnings()).toMatchObject([warning])
    expect(await nodesOf(first).inspect({ block: 3, address: '0x' })).toMatchObject([warning])
  })

  test('behavior: what one will not answer is asked of the next', async () => {
    const nodes = nodesOf(await changesItsMind(), await node({ head: 100 }))
    expect(await nodes.request(at(4))).toMatchObject({ hash: '0x4' })
  })

  test.each([
    ['a block without a hash', at(4), { number: '0x4' }, { hash: '0x4' }],
    ['a block of another height', at(4), { number: '0x3', hash: '0x3' }, { hash: '0x4' }],
    ['logs without a block', logs(1, 50), [{ logIndex: '0x0' }], []],
    ['a log told twice', logs(1, 50), Array(2).fill({ blockHash: '0x4', logIndex: '0x0' }), []],
  ])('behavior: %s is no answer, and said', async (_, asked, result, expected) => {
    const first = await of(({ method, params: [block] }) => {
      if (method === 'eth_chainId') return { result: '0x38' }
      return { result: method === 'eth_blockNumber' || (block as unknown) === 'latest' ? '0x64' : result }
    })()
    const nodes = nodesOf(first, await node({ head: 100 }))
    expect(await nodes.request(asked)).toMatchObject(expected)
    expect(nodes.warnings()).toMatchObject([{ kind: 'node_silent', node: first.host }])
  })

  test.each([
    '15/second request limit reached - reduce calls per second or upgrade your account',
    "You've exceeded the RPS limit available on the current plan.",
    'credits limited to 6000/sec',
    'cu limit exceeded; Request ID: 1',
  ])('behavior: asked again after "%s"', async (message) => {
    const only = await node({ head: 5 })
    let asked = 0
    only.behave(({ method }) => {
      if (method === 'eth_chainId') return { result: '0x38' }
      return asked++ === 0 ? { error: { code: -32005, message } } : { result: { number: '0x4', hash: '0x4' } }
    })
    expect(await nodesOf(only).request(at(4))).toMatchObject({ hash: '0x4' })
  })
})

describe('nodes that are asked too often', () => {
  /** Answers blocks, and refuses what `refuses` says of its how-manieth request. */
  const refusing = async (refuses: (count: number) => boolean, headers = {}) => {
    const only = await node({ head: 1_000 })
    let count = 0
    only.behave(({ method, params: [block] }, response) => {
      if (refuses(++count)) {
        response.writeHead(429, headers).end()
        return 'taken'
      }
      if (method === 'eth_chainId') return { result: '0x38' }
      return { result: { number: block, hash: block } }
    })
    return only
  }
  const all = (nodes: ReturnType<typeof nodesOf>, count: number) =>
    Promise.all(Array.from({ length: count }, (_, index) => nodes.request(at(index + 1))))

  test('behavior: a burst that is refused as a whole slows down what comes after it once, not once for each', async () => {
    let refusals = 0
    const only = await refusing(() => refusals-- > 0)
    const nodes = nodesOf(only)
    await nodes.request(at(1))
    const before = only.asked.length
    refusals = 12
    // Twelve rests, each twice the one before, would outlast its patience.
    await all(nodes, 12)
    const asked = only.asked.slice(before).filter(({ method }) => method === 'eth_getBlockByNumber')
    expect(asked.length).toBeLessThanOrEqual(24)
  })

  test.each([[{}], [{ 'retry-after': '1' }]])(
    'behavior: one that refuses every second request gives all, each for little more than two, and it is said (%j)',
    async (headers) => {
      const only = await refusing((count) => count % 2 === 0, headers)
      const nodes = createNodes({ urls: [only.url], log: (message) => logged.push(message) })
      for (let from = 1; from <= 80; from += 10)
        await Promise.all(Array.from({ length: 10 }, (_, index) => nodes.request(at(from + index))))
      const chains = only.asked.filter(({ method }) => method === 'eth_chainId').length
      expect(only.asked.length).toBeLessThanOrEqual(2 * 80 + 2 * chains)
      expect(nodes.warnings()).toMatchObject([
        {
          kind: 'node_limiting',
          message: expect.stringMatching(/ says of \d+ % of the requests that they are too many/),
        },
      ])
      expect(logged.filter((message) => message.includes('too many'))).toHaveLength(1)
    },
  )
})

describe('no logs', () => {
  const found = [{ logIndex: '0x0', blockHash: '0x4' }]
  const answers = (...inOrder: unknown[][]) => {
    let asked = 0
    return ({ method }: { method: string }) => {
      if (method === 'eth_getLogs') return { result: inOrder[Math.min(asked++, inOrder.length - 1)] }
      return { result: method === 'eth_chainId' ? '0x38' : '0x64' }
    }
  }

  test.each([
    ['the same node says otherwise the second time', [[], found], undefined, found],
    ['the next node says otherwise', [[]], [found], found],
    ['the next node agrees', [[]], [[]], []],
    ['the same node says it twice', [[], [], found], undefined, []],
  ] as const)('behavior: %s', async (_, ofFirst, ofSecond, expected) => {
    const first = await node({ head: 100 })
    first.behave(answers(...(ofFirst as unknown as unknown[][])))
    const second = ofSecond && (await node({ head: 100 }))
    second?.behave(answers(...(ofSecond as unknown as unknown[][])))
    const nodes = nodesOf(first, ...(second ? [second] : []))
    await nodes.inspect({ block: 200, address: '0x' })
    first.behave(answers(...(ofFirst as unknown as unknown[][])))
    expect(await nodes.request(logs(1, 50))).toEqual(expected)
  })

  test('behavior: of a first block that says it has some', async () => {
    const only = await node({ head: 1_000 })
    only.behave(({ method }) => {
      if (method === 'eth_getBlockByNumber') return { result: { number: '0x3', hash: '0x3', logsBloom: '0x0010' } }
      return { result: method === 'eth_getLogs' ? [] : method === 'eth_chainId' ? '0x38' : '0x3e8' }
    })
    expect(await nodesOf(only).inspect({ block: 3, address: '0x' })).toMatchObject([{ kind: 'node_without_history' }])
  })
})

describe('nodes out of step', () => {
  test('behavior: the head never goes back to a block of the same chain', async () => {
    const script: Script = { head: 100 }
    const nodes = nodesOf(await node(script))
    await nodes.request(at(97))
    await nodes.request(latest)
    script.head = 97
    expect(await nodes.request(latest)).toMatchObject({ hash: '0x100' })
    expect(await nodes.request({ method: 'eth_blockNumber', params: [] })).toBe('0x64')
  })

  test('behavior: a reorganisation is passed on, lower head and all', async () => {
    const script: Script = { head: 100 }
    const nodes = nodesOf(await node(script))
    await nodes.request(latest)
    Object.assign(script, { head: 98, fork: () => 'b' })
    expect(await nodes.request(latest)).toMatchObject({ hash: '0x98b' })
    Object.assign(script, { head: 99 })
    expect(await nodes.request(latest)).toMatchObject({ hash: '0x99b' })
  })

  test('behavior: a node that has stood still is passed over, and if it is alone nothing goes back', async () => {
    const script: Script = { head: 1_000 }
    const [first, second] = [await node(script), await node({ head: 1_001 })]
    const nodes = nodesOf(first, second)
    await nodes.request(latest)
    Object.assign(script, { head: 900, fork: () => 'b' })
    expect(await nodes.request(latest)).toMatchObject({ hash: '0x1001' })
    expect(nodes.warnings()).toMatchObject([{ kind: 'node_behind', node: first.host }])
    await second.stop()
    expect(await nodes.request(latest)).toMatchObject({ hash: '0x1001' })
    await second.listen()
  })

  test('behavior: one that has not come to what the index holds for final is not followed', async () => {
    const script: Script = { head: 129 }
    const [first, second] = [await node(script), await node({ head: 140 })]
    const nodes = createNodes({ urls: [first.url, second.url], finalizedBlock: 100, patience: 500 })
    expect(await nodes.inspect({ block: 3, address: '0x' })).toMatchObject([
      { kind: 'node_behind', node: first.host, message: expect.stringContaining('is 1 blocks behind') },
    ])
    expect(nodes.canRead()).toBe(true)
    expect(await nodes.request(latest)).toMatchObject({ hash: '0x140' })
    script.head = 141
    expect(await nodes.request(latest)).toMatchObject({ hash: '0x141' })
    expect(nodes.warnings()).toEqual([])
  })

  test('error: none has come to what the index holds for final', async () => {
    const script: Script = { head: 129 }
    const nodes = createNodes({ urls: [(await node(script)).url], finalizedBlock: 100, patience: 500 })
    await nodes.inspect({ block: 3, address: '0x' })
    expect(nodes.canRead()).toBe(false)
    await expect(nodes.request(latest)).rejects.toThrow('no node has come to block 130 yet')
    script.head = 130
    await nodes.inspect({ block: 3, address: '0x' })
    expect(nodes.canRead()).toBe(true)
    expect(await nodes.request(latest)).toMatchObject({ hash: '0x130' })
  })

  test('behavior: a block long final that one of several behind an address lacks is asked for again, not told to be none', async () => {
    const only = await node({ head: 100 })
    const nodes = nodesOf(only)
    await nodes.request(latest)
    only.behave(({ method }) => ({ result: method === 'eth_chainId' ? '0x38' : null }))
    await expect(nodes.request(at(50))).rejects.toMatchObject({ kind: 'missing', rpcError: undefined })
    expect(await nodes.request(at(90))).toBeNull()
  })

  describe('several behind an address, 60 blocks apart, in turns', () => {
    const inTurns = async () => {
      const script: Script = { head: 200 }
      const only = await node(script)
      const answer = only.behaviour()
      let count = 0
      only.behave((asked, response) => {
        script.head = ++count % 2 ? 200 : 140
        return answer(asked, response)
      })
      const nodes = nodesOf(only)
      await nodes.inspect({ block: 3, address: '0x' })
      return nodes
    }

    test('behavior: what is taken for final is final to each; the newest is followed all the same', async () => {
      const nodes = await inTurns()
      await expect.poll(() => nodes.request(latest)).toMatchObject({ hash: '0x200' })
      for (let times = 0; times < 4; times++) expect(await nodes.request(latest)).toMatchObject({ hash: '0x200' })
      const forFinality = { method: 'eth_getBlockByNumber', params: ['latest', false] }
      for (let times = 0; times < 4; times++) expect(await nodes.request(forFinality)).toMatchObject({ hash: '0x140' })
    })

    test('behavior: logs are not taken up to where one of them has not come', async () => {
      const nodes = await inTurns()
      expect(await nodes.request(logs(100, 140))).toEqual([])
      await expect(nodes.request(logs(100, 141))).rejects.toMatchObject({ kind: 'missing' })
    })

    test('behavior: a block that one of them lacks is asked for until the other is met', async () => {
      const nodes = await inTurns()
      await expect.poll(() => nodes.request(latest)).toMatchObject({ hash: '0x200' })
      for (const number of [150, 171, 199, 200])
        expect(await nodes.request(at(number))).toMatchObject({ hash: `0x${number}` })
    })
  })

  test('error: the first block to be read is still to come', async () => {
    const script: Script = { head: 40 }
    const only = await node(script)
    const nodes = createNodes({ urls: [only.url], startBlock: 50 })
    const words = `${only.host} has come to block 40, and the first community starts at block 50: check startBlock, or wait.`
    expect(await nodes.inspect({ block: 50, address: '0x' })).toMatchObject([{ kind: 'node_behind', message: words }])
    expect(nodes.canRead()).toBe(false)
    script.head = 50
    await nodes.inspect({ block: 50, address: '0x' })
    expect(nodes.canRead()).toBe(true)
  })

  test('behavior: logs are read from a node that has come so far', async () => {
    const [first, second] = [await node({ head: 90 }), await node({ head: 100 })]
    await nodesOf(first, second).request(logs(80, 95))
    expect(first.asked.map(({ method }) => method)).not.toContain('eth_getLogs')
    expect(second.asked.map(({ method }) => method)).toContain('eth_getLogs')
  })
})

describe('what a node cannot do', () => {
  test('behavior: eth_getLogs is off', async () => {
    const [first, second] = [await node({ head: 100, hasLogs: false }), await node({ head: 100 })]
    const nodes = nodesOf(first, second)
    expect(await nodes.inspect({ block: 3, address: '0x' })).toMatchObject([
      {
        kind: 'node_without_logs',
        node: first.host,
        message: `${first.host} has eth_getLogs off, or on for single blocks only: use another node.`,
      },
    ])
    expect(nodes.canRead()).toBe(true)
    const before = first.asked.length
    await nodes.request(logs(1, 50))
    expect(first.asked).toHaveLength(before)
  })

  test('behavior: no node has logs', async () => {
    const nodes = nodesOf(await node({ head: 100, hasLogs: false }))
    await nodes.inspect({ block: 3, address: '0x' })
    expect(nodes.canRead()).toBe(false)
    await expect(nodes.request(logs(1, 50))).rejects.toThrow(/eth_getLogs off/)
  })

  test('behavior: the start block is not kept', async () => {
    const [first, second] = [await node({ head: 1_000, from: 900 }), await node({ head: 1_000 })]
    const nodes = nodesOf(first, second)
    expect(await nodes.inspect({ block: 3, address: '0x' })).toMatchObject([{ kind: 'node_without_history' }])
    await nodes.request(logs(3, 50))
    const { params } = logs(3, 50)
    expect(first.asked.map((asked) => asked.params)).not.toContainEqual(params)
    expect(second.asked.map((asked) => asked.params)).toContainEqual(params)
  })

  test.each([
    ['Maximum allowed number of requested blocks is 10', /this block range should work: \[0x1, 0xa\]/],
    ['I will not', /block range too large/],
  ])('behavior: a range that is too wide ("%s")', async (message, words) => {
    const only = await node({ head: 1_000 })
    only.behave(({ method }) =>
      method === 'eth_getLogs'
        ? { error: { code: -32000, message } }
        : { result: method === 'eth_chainId' ? '0x38' : '0x3e8' },
    )
    await expect(nodesOf(only).request(logs(1, 500))).rejects.toMatchObject({
      rpcError: { message: expect.stringMatching(words) },
    })
  })

  test('behavior: a gateway that gives up on a range, and answers everything else, is asked for less', async () => {
    const only = await node({ head: 1_000 })
    only.behave(({ method }, response) => {
      if (method !== 'eth_getLogs') return { result: method === 'eth_chainId' ? '0x38' : '0x3e8' }
      response.writeHead(504).end('<html>Gateway Time-out</html>')
      return 'taken'
    })
    await expect(nodesOf(only).request(logs(1, 500))).rejects.toMatchObject({
      rpcError: { message: 'block range too large' },
    })
  })

  test('behavior: a range that is too wide for the first is read from the second', async () => {
    const [first, second] = [await node({ head: 1_000 }), await node({ head: 1_000 })]
    first.behave(({ method }) =>
      method === 'eth_getLogs'
        ? { error: { code: -32000, message: 'up to a 10 block range' } }
        : { result: method === 'eth_chainId' ? '0x38' : '0x3e8' },
    )
    const nodes = nodesOf(first, second)
    expect(await nodes.request(logs(1, 500))).toEqual([])
    expect(await nodes.request(logs(501, 900))).toEqual([])
    expect(first.asked.filter(({ method }) => method === 'eth_getLogs')).toHaveLength(1)
  })
})
