import { getEventListeners } from 'node:events'
import { createServer, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import * as fc from 'fast-check'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { formatAmount, parseAmount, toDecimal } from './amounts.ts'
import { createReferralClient, ReferralApiError, type ReferralClient, type ReferralClientParameters } from './client.ts'
import { operations } from './operations.ts'

const address = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266'
const asOf = { block: 9, timestamp: 1_700_000_000, finalizedBlock: 3 }
const search = { asOf, items: [], more: false }

let server: Server | undefined
afterEach(() => {
  server?.closeAllConnections()
  server?.close()
})

/** Starts a server with one listener for all requests; `asked` lists the requested paths. */
async function serve(listener: RequestListener, parameters?: Partial<ReferralClientParameters>) {
  const asked: string[] = []
  server = createServer((request, response) => {
    asked.push(request.url ?? '')
    listener(request, response)
  }).listen(0, '127.0.0.1')
  await new Promise((resolve) => server?.once('listening', resolve))
  const { port } = server.address() as AddressInfo
  return { client: createReferralClient({ baseUrl: `http://127.0.0.1:${port}/v1`, ...parameters }), asked }
}

function answer(status: number, body: unknown, headers: Record<string, string> = {}): RequestListener {
  return (_, response) => {
    response.writeHead(status, { 'content-type': 'application/json', ...headers })
    response.end(typeof body === 'string' || body instanceof Uint8Array ? body : JSON.stringify(body))
  }
}

async function failureOf(promise: Promise<unknown>): Promise<ReferralApiError> {
  const error = await promise.then(
    () => undefined,
    (reason: unknown) => reason,
  )
  expect(error).toBeInstanceOf(ReferralApiError)
  return error as ReferralApiError
}

describe('responses', () => {
  test('behavior: returns a valid response', async () => {
    const { client, asked } = await serve(answer(200, search))
    expect(await client.search('demo', '0xab', { limit: 5 })).toEqual(search)
    expect(asked).toEqual(['/v1/communities/demo/search?limit=5&q=0xab'])
  })

  test('behavior: undefined parameters are not sent', async () => {
    const { client, asked } = await serve(answer(200, { asOf, items: [], nextCursor: null }))
    await client.referrals('a/b', address, { level: 'all', cursor: undefined, sort: 'team' })
    await client.referrers('demo', address, { skip: 0, cursor: undefined })
    expect(asked).toEqual([
      `/v1/communities/a%2Fb/members/${address}/referrals?level=all&sort=team`,
      `/v1/communities/demo/members/${address}/referrers?skip=0`,
    ])
  })

  test('behavior: unknown fields are dropped', async () => {
    const { client } = await serve(answer(200, { ...search, unknown: 1 }))
    expect(await client.search('demo', '0xab')).toEqual(search)
  })

  test.each([
    ['in a list', 'events', '"bound"', (client: ReferralClient) => client.events('demo')],
    ['in an answer of the present', 'member', '"member"', (client: ReferralClient) => client.member('demo', address)],
    ['in a problem of an item', 'batch', '"invalid_address"', (client: ReferralClient) => client.batch('demo', [])],
  ] as const)('behavior: a value that a later version has added passes: %s', async (_, id, value, ask) => {
    const text = JSON.stringify(operations.find((operation) => operation.id === id)?.example?.response)
    expect(text).toContain(value)
    const added = JSON.parse(text.replaceAll(value, '"added"'))
    expect(await ask((await serve(answer(200, added))).client)).toEqual(added)
    const { client } = await serve(answer(200, text.replaceAll(value, '5')))
    expect(await failureOf(ask(client))).toMatchObject({ code: 'malformed' })
  })
})

describe('the downline as CSV', () => {
  test('behavior: a stream may take longer than the time limit', async () => {
    let finish = () => {}
    const { client } = await serve(
      (_, response) => {
        response.writeHead(200, { 'content-type': 'text/csv' })
        response.write('level,address\r\n')
        finish = () => response.end('1,0x12\r\n')
      },
      { timeout: 1_000 },
    )
    const stream = await client.referralsCsv('demo', address)
    await new Promise((resolve) => AbortSignal.timeout(1_010).addEventListener('abort', resolve))
    finish()
    expect(await new Response(stream).text()).toBe('level,address\r\n1,0x12\r\n')
  })

  test('behavior: the events of a kind', async () => {
    const { client, asked } = await serve(answer(200, 'time,kind\r\n', { 'content-type': 'text/csv' }))
    await new Response(await client.memberEventsCsv('demo', address, { kind: 'reward' })).text()
    expect(asked).toEqual([`/v1/communities/demo/members/${address}/events.csv?kind=reward`])
  })

  test('error: aborted while it is read', async () => {
    const { client } = await serve((_, response) => {
      response.writeHead(200, { 'content-type': 'text/csv' })
      response.write('level,address\r\n')
    })
    const controller = new AbortController()
    const reader = (await client.referralsCsv('demo', address, { signal: controller.signal })).getReader()
    await reader.read()
    controller.abort('left')
    await expect(reader.read()).rejects.toBe('left')
  })

  test.each([
    ['read', (stream: ReadableStream) => new Response(stream).text()],
    ['cancelled', (stream: ReadableStream) => stream.cancel()],
  ])('behavior: a stream that was %s, and a problem, leave no listener at the signal', async (_, end) => {
    const { signal } = new AbortController()
    const { client } = await serve(answer(200, 'level,address\r\n', { 'content-type': 'text/csv' }))
    await end(await client.referralsCsv('demo', address, { signal }))
    await vi.waitFor(() => expect(getEventListeners(signal, 'abort')).toEqual([]))
    const refusing = await serve(answer(404, ''))
    await failureOf(refusing.client.referralsCsv('demo', address, { signal }))
    expect(getEventListeners(signal, 'abort')).toEqual([])
  })

  test('error: a body that the `fetch` of the app has locked fails instead of waiting for ever', async () => {
    const { client } = await serve(answer(200, 'level,address\r\n', { 'content-type': 'text/csv' }), {
      async fetch(...asked: Parameters<typeof fetch>) {
        const response = await fetch(...asked)
        response.body?.getReader()
        return response
      },
    })
    await expect(new Response(await client.referralsCsv('demo', address)).text()).rejects.toThrow(TypeError)
  })

  test('error: a problem', async () => {
    const problem = { type: 'about:blank', title: 'x', status: 404, detail: 'Nobody.', code: 'member_not_found' }
    const { client } = await serve(answer(404, problem, { 'content-type': 'application/problem+json' }))
    expect(await failureOf(client.referralsCsv('demo', address))).toMatchObject({ code: 'member_not_found' })
  })
})

describe('lists and files to the end', () => {
  const event = (block: number) => ({
    address,
    referrer: address,
    status: 'bound',
    block,
    logIndex: 0,
    timestamp: 5,
    tx: null,
    grade: 'exact',
    between: null,
  })

  test('behavior: the items of all pages are listed, and no more pages are requested than needed', async () => {
    const { client, asked } = await serve((request, response) => {
      const cursor = Number(new URL(request.url ?? '', 'http://a').searchParams.get('cursor') ?? 1)
      const nextCursor = cursor < 3 ? String(cursor + 1) : null
      answer(200, { asOf, items: [event(cursor), event(cursor)], nextCursor })(request, response)
    })
    const blocks: number[] = []
    for await (const { block } of client.all.events('demo')) blocks.push(block)
    expect(blocks).toEqual([1, 1, 2, 2, 3, 3])
    for await (const { block } of client.all.events('demo', { limit: 2 })) if (block === 2) break
    expect(asked.map((path) => path.split('?')[1])).toEqual([
      'limit=200',
      'limit=200&cursor=2',
      'limit=200&cursor=3',
      'limit=2',
      'limit=2&cursor=2',
    ])
  })

  test('behavior: only the first page skips referrers', async () => {
    const { client, asked } = await serve((request, response) => {
      answer(200, { asOf, items: [], nextCursor: request.url?.includes('cursor') ? null : 'c' })(request, response)
    })
    for await (const _ of client.all.referrers('demo', address, { skip: 3 })) throw new Error('There is none.')
    expect(asked.map((path) => path.split('?')[1])).toEqual(['limit=200&skip=3', 'limit=200&cursor=c'])
  })

  test('behavior: rows of a CSV are objects, however the bytes are cut', async () => {
    const text = '\uFEFFlevel,address,note\r\n1,0x12,"a, ""b""\r\nc"\r\n2,0x34,\r\n'
    const { client } = await serve((_, response) => {
      response.writeHead(200, { 'content-type': 'text/csv' })
      for (const byte of Buffer.from(text)) response.write(Uint8Array.of(byte))
      response.end()
    })
    const rows: Record<string, string>[] = []
    for await (const row of client.rows.referrals('demo', address)) rows.push(row)
    expect(rows).toEqual([
      { level: '1', address: '0x12', note: 'a, "b"\r\nc' },
      { level: '2', address: '0x34', note: '' },
    ])
  })

  test('error: a CSV that breaks off within a line', async () => {
    const { client } = await serve(answer(200, 'level,address\r\n1,0x', { 'content-type': 'text/csv' }))
    const read = async () => {
      for await (const _ of client.rows.referrals('demo', address)) throw new Error('There is none.')
    }
    expect(await failureOf(read())).toMatchObject({
      code: 'unreachable',
      message: expect.stringContaining('incomplete'),
    })
  })

  test('error: rows whose connection breaks off, or that are aborted', async () => {
    let isBroken = true
    const { client } = await serve((_, response) => {
      response.writeHead(200, { 'content-type': 'text/csv' })
      response.write('level,address\r\n1,0x12\r\n')
      if (isBroken) setImmediate(() => response.destroy())
    })
    const read = async (controller: AbortController) => {
      for await (const _ of client.rows.referrals('demo', address, { signal: controller.signal }))
        if (!isBroken) controller.abort('left')
    }
    expect(await failureOf(read(new AbortController()))).toMatchObject({ code: 'unreachable' })
    isBroken = false
    await expect(read(new AbortController())).rejects.toBe('left')
  })

  test('behavior: a request beyond the limit is repeated after Retry-After, as often as asked', async () => {
    let left = 3
    const refused = answer(429, '', { 'retry-after': '0' })
    const { client, asked } = await serve(
      (request, response) => (left-- > 0 ? refused : answer(200, search))(request, response),
      { retries: 3 },
    )
    expect(await client.search('demo', '0xab')).toEqual(search)
    expect(asked).toHaveLength(4)
    left = 9
    expect(await failureOf(client.search('demo', '0xab'))).toMatchObject({ code: 'rate_limited' })
    expect(asked).toHaveLength(8)
  })

  test('behavior: however long it may wait, a refusal without Retry-After is not repeated', async () => {
    const { client, asked } = await serve(answer(503, ''), { retries: 9, longestWait: Number.POSITIVE_INFINITY })
    expect(await failureOf(client.search('demo', '0xab'))).toMatchObject({ code: 'unavailable' })
    expect(asked).toHaveLength(1)
  })
})

test.each([
  ['1234500000', 6, '1234.5'],
  ['5', 18, '0.000000000000000005'],
  ['0', 18, '0'],
  ['7', 0, '7'],
  ['100', 2, '1'],
])('behavior: %s with %i decimals is %s, and back', (amount, decimals, decimal) => {
  expect(toDecimal(amount, decimals)).toBe(decimal)
  expect(formatAmount(amount, { symbol: 'T', decimals })).toBe(`${decimal} T`)
  expect(parseAmount(decimal, decimals)).toBe(amount)
})

test.each(['', '-1', '1.', '.5', '1e3', '0.1234567', 'x'])('error: %j is no amount with six decimals', (text) => {
  expect(parseAmount(text, 6)).toBeUndefined()
})

test('behavior: parameters are sent from a browser without `URLSearchParams.size`, as Chrome 112 and Safari 16', async () => {
  const { client, asked } = await serve(answer(200, search))
  const size = vi.spyOn(URLSearchParams.prototype, 'size', 'get').mockReturnValue(undefined as never)
  await client.search('demo', '0xf39F', { limit: 3 }).finally(() => size.mockRestore())
  expect(asked).toEqual(['/v1/communities/demo/search?limit=3&q=0xf39F'])
})

test('behavior: a base URL may end in a slash', async () => {
  const { client, asked } = await serve(answer(200, search))
  const { origin } = new URL(client.fileUrl('rootsCsv', 'demo'))
  const other = createReferralClient({ baseUrl: `${origin}/v1/` })
  expect(await other.search('demo', '0xab')).toEqual(search)
  expect(asked).toEqual(['/v1/communities/demo/search?q=0xab'])
  expect(other.fileUrl('rootsCsv', 'demo')).toBe(client.fileUrl('rootsCsv', 'demo'))
})

test('behavior: a batch is posted as JSON', async () => {
  const items = [{ input: 'x', card: null, error: { code: 'invalid_address', detail: 'No.' } }]
  const seen: (string | undefined)[] = []
  const { client, asked } = await serve((request, response) => {
    seen.push(request.method, request.headers['content-type'])
    request.on('data', (chunk) => seen.push(String(chunk)))
    request.on('end', () => answer(200, { asOf, items })(request, response))
  })
  expect(await client.batch('demo', ['x'])).toEqual({ asOf, items })
  expect([asked, seen]).toEqual([
    ['/v1/communities/demo/members/batch'],
    ['POST', 'application/json', '{"addresses":["x"]}'],
  ])
})

describe('problems', () => {
  const problem = {
    type: 'about:blank',
    title: 'No such member',
    status: 404,
    detail: 'Nobody.',
    code: 'member_not_found',
  }
  const headers = { 'content-type': 'application/problem+json' }

  test('error: a problem of the API', async () => {
    const { client } = await serve(answer(404, problem, headers))
    const error = await failureOf(client.member('demo', address))
    expect(error).toMatchObject({
      code: 'member_not_found',
      status: 404,
      message: 'Nobody.',
      problem,
      retryAfter: undefined,
    })
  })

  test.each([
    [422, 'added'],
    [503, 'unavailable'],
  ])('error: a problem of %i with a code that a later version has added', async (status, code) => {
    const { client } = await serve(answer(status, { ...problem, status, code: 'added' }, headers))
    expect(await failureOf(client.search('demo', '0xab'))).toMatchObject({
      ...{ code, status, message: 'Nobody.' },
      problem: { code: 'added', title: 'No such member' },
    })
  })

  test('error: still indexing, with its progress', async () => {
    const progress = { phase: 'indexing', done: 1, total: 9 }
    const { client } = await serve(
      answer(503, { ...problem, status: 503, code: 'indexing', progress }, { ...headers, 'retry-after': '1' }),
    )
    const error = await failureOf(client.communities())
    expect(error).toMatchObject({ code: 'indexing', retryAfter: 1, problem: { progress } })
  })

  test.each([
    [502, 'unavailable'],
    [429, 'rate_limited'],
    [404, 'malformed'],
  ] as const)('error: %i without a problem is %s', async (status, code) => {
    const { client } = await serve(answer(status, '<h1>Bad gateway</h1>', { 'content-type': 'text/html' }))
    expect(await failureOf(client.status())).toMatchObject({ code, status, problem: undefined })
  })

  test.each([
    ['a date', new Date(Date.now() + 60_000).toUTCString()],
    ['a word', 'soon'],
    ['negative', '-5'],
    ['empty', ''],
  ])('error: a Retry-After that is %s is ignored', async (_, retryAfter) => {
    const { client } = await serve(answer(429, '', { 'retry-after': retryAfter }))
    expect((await failureOf(client.status())).retryAfter).toBeUndefined()
  })
})

describe('malformed', () => {
  test.each([
    ['not JSON', 'not json'],
    ['an empty body', ''],
    ['a missing field', { asOf }],
    ['an invalid address', { asOf, items: [{ address: '0x12' }] }],
    ['an amount that is a number', { ...search, items: [{ ownVolume: 5 }] }],
  ])('error: %s', async (_, body) => {
    const { client } = await serve(answer(200, body))
    expect(await failureOf(client.search('demo', '0xab'))).toMatchObject({ code: 'malformed', status: 200 })
  })

  test('error: a response that breaks off', async () => {
    const { client } = await serve((_, response) => {
      response.writeHead(200, { 'content-length': '100' })
      response.write('{"asOf"')
      setImmediate(() => response.destroy())
    })
    expect(await failureOf(client.status())).toMatchObject({ code: 'unreachable' })
  })

  test('property: any other response throws a ReferralApiError', async () => {
    let next: { status: number; body: Uint8Array }
    const { client } = await serve((request, response) => answer(next.status, next.body)(request, response))
    const body = fc.oneof(
      fc.uint8Array({ maxLength: 200 }),
      fc.json().map((text) => new TextEncoder().encode(text)),
      fc
        .record({
          asOf: fc.constantFrom(asOf, null),
          items: fc.array(fc.anything()),
          code: fc.constantFrom('indexing', 'x'),
          status: fc.anything(),
        })
        .map((value) =>
          new TextEncoder().encode(JSON.stringify(value, (_, item) => (typeof item === 'bigint' ? `${item}` : item))),
        ),
    )
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(200, 201, 301, 400, 404, 418, 429, 500, 503), body, async (status, bytes) => {
        next = { status, body: bytes }
        for (const call of [() => client.communities(), () => client.metrics('x'), () => client.member('x', address)])
          await failureOf(call())
      }),
      { numRuns: 100 },
    )
  })
})

describe('the newest block', () => {
  const at = (block: number) => ({ ...search, asOf: { ...asOf, block } })
  const behind = { 'content-type': 'application/problem+json', 'retry-after': '0' }
  const unavailable = { type: 'about:blank', title: 'x', status: 503, detail: 'Behind.', code: 'unavailable' }

  /** Answers with one listener after the other, the last one for all later requests; `sent` lists their blocks. */
  async function serveInTurn(...listeners: RequestListener[]) {
    const sent: (string | undefined)[] = []
    const { client, asked } = await serve((request, response) => {
      sent.push(request.headers['lineage-at-least'] as string | undefined)
      listeners[Math.min(sent.length, listeners.length) - 1]?.(request, response)
    })
    return { client, asked, sent }
  }

  test('behavior: goes with the next request of the community', async () => {
    const { client, sent } = await serveInTurn(answer(200, at(7)))
    await client.search('demo', '0xab')
    await client.search('other', '0xab')
    client.noteBlock('demo', 5)
    client.noteBlock('other', 6)
    await client.search('demo', '0xab')
    await client.search('other', '0xab')
    expect(sent).toEqual([undefined, undefined, '7', '7'])
  })

  test('behavior: a lookup of the past sends none', async () => {
    const { client, sent } = await serveInTurn(answer(404, '{}'))
    client.noteBlock('demo', 8)
    await failureOf(client.member('demo', address, { asOf: '3' }))
    await failureOf(client.compare('demo', address, '3', '4'))
    await failureOf(client.member('demo', address))
    expect(sent).toEqual([undefined, undefined, '8'])
  })

  test('error: a server that is behind is asked once more after the time it names', async () => {
    const { client, sent } = await serveInTurn(answer(503, unavailable, behind), answer(200, at(9)))
    client.noteBlock('demo', 9)
    expect((await client.search('demo', '0xab')).asOf.block).toBe(9)
    expect(sent).toEqual(['9', '9'])
  })

  test.each([
    ['twice', '0', 2],
    ['for a minute', '60', 1],
  ])('error: unavailable %s', async (_, retryAfter, requests) => {
    const headers = { ...behind, 'retry-after': retryAfter }
    const { client, asked } = await serveInTurn(answer(503, unavailable, headers))
    expect(await failureOf(client.search('demo', '0xab'))).toMatchObject({ code: 'unavailable' })
    expect(asked).toHaveLength(requests)
  })

  test('error: an older answer is never returned', async () => {
    const { client, asked } = await serveInTurn(answer(200, at(8)))
    client.noteBlock('demo', 9)
    expect(await failureOf(client.search('demo', '0xab'))).toMatchObject({ code: 'unavailable', retryAfter: 1 })
    expect(asked).toHaveLength(2)
  })

  test('behavior: a block of tables that were made again since does not count', async () => {
    const named = (name: string) => ({ 'lineage-index': `other=0a0a0a0a, demo=${name}` })
    const { client, sent } = await serveInTurn(
      answer(200, at(9), named('1a2b3c4d')),
      answer(200, at(3), named('5e6f7a8b')),
      answer(200, at(2), named('5e6f7a8b')),
    )
    await client.search('demo', '0xab')
    client.noteBlock('demo', 10)
    expect((await client.search('demo', '0xab')).asOf.block).toBe(3)
    expect(await failureOf(client.search('demo', '0xab'))).toMatchObject({ code: 'unavailable' })
    expect(sent).toEqual([undefined, '10;1a2b3c4d', '3;5e6f7a8b', '3;5e6f7a8b'])
  })

  test('behavior: aborted while it waits to ask again', async () => {
    const controller = new AbortController()
    const { client, asked } = await serveInTurn((request, response) => {
      response.once('close', () => controller.abort('left'))
      answer(503, unavailable, { ...behind, 'retry-after': '5' })(request, response)
    })
    await expect(client.search('demo', '0xab', { signal: controller.signal })).rejects.toBe('left')
    expect(asked).toHaveLength(1)
  })

  test('property: the answers of a lookup never go back, whatever blocks the servers are at', async () => {
    let block = 0
    const { client } = await serve((request, response) => {
      const isBehind = Number(request.headers['lineage-at-least'] ?? 0) > block
      const reply = isBehind ? answer(503, unavailable, behind) : answer(200, at(block))
      reply(request, response)
    })
    let seen = 0
    const blocks = fc.array(fc.record({ block: fc.nat(9), from: fc.constantFrom('lookup', 'stream') }))
    await fc.assert(
      fc.asyncProperty(blocks, async (steps) => {
        for (const step of steps) {
          block = step.block
          if (step.from === 'stream') client.noteBlock('demo', block)
          else
            await client.search('demo', '0xab').then(
              (found) => expect(found.asOf.block).toBeGreaterThanOrEqual(seen),
              (error: ReferralApiError) => expect([error.code, block < seen]).toEqual(['unavailable', true]),
            )
          seen = Math.max(seen, block)
        }
      }),
      { numRuns: 30 },
    )
  })
})

describe('no response', () => {
  const silence: RequestListener = () => {}

  test('error: the server is down', async () => {
    const { client } = await serve(silence)
    await new Promise((resolve) => server?.close(resolve))
    expect(await failureOf(client.status())).toMatchObject({ code: 'unreachable', status: 0 })
  })

  test('error: no response in time', async () => {
    const { client } = await serve(silence, { timeout: 30 })
    expect(await failureOf(client.status())).toMatchObject({
      code: 'unreachable',
      message: 'No response from /status.',
    })
  })

  test('behavior: no time limit', async () => {
    const { client } = await serve(
      (request, response) => setImmediate(() => setImmediate(() => answer(200, search)(request, response))),
      { timeout: Number.POSITIVE_INFINITY },
    )
    expect(await client.search('demo', '0xab')).toEqual(search)
  })

  test('error: half a response in time', async () => {
    const { client } = await serve(
      (_, response) => {
        response.writeHead(200, { 'content-type': 'application/json' })
        response.write('{')
      },
      { timeout: 30 },
    )
    expect(await failureOf(client.status())).toMatchObject({ code: 'unreachable' })
  })

  test('error: aborted by the caller', async () => {
    const { client } = await serve(silence)
    const controller = new AbortController()
    const pending = client.status({ signal: controller.signal })
    controller.abort()
    await expect(pending).rejects.toBe(controller.signal.reason)
  })

  test('error: a request aborted before its start is not sent', async () => {
    const { client, asked } = await serve(silence)
    await expect(client.status({ signal: AbortSignal.abort('left') })).rejects.toBe('left')
    expect(asked).toEqual([])
  })
})

test('types: parameters and responses follow the contract', async () => {
  const { client } = await serve(answer(200, search))
  // Checked by the compiler, never called.
  const wrong = [
    // @ts-expect-error There is no such level.
    () => client.referrals('demo', address, { level: 'most' }),
    // @ts-expect-error Metrics have no interval.
    () => client.metrics('demo', { interval: 'day' }),
    // @ts-expect-error A search needs a prefix.
    () => client.search('demo'),
    // @ts-expect-error Parquet has no times of a zone.
    () => client.fileUrl('eventsParquet', 'demo', { tz: 'UTC' }),
    // @ts-expect-error A member has no items.
    async () => (await client.member('demo', address)).items,
  ]
  expect(wrong).toHaveLength(5)
})
