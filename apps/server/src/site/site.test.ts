import { createHash } from 'node:crypto'
import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ask, type Served, serve } from '../../test/serve.ts'
import { bind } from '../follow/test/tables.ts'
import { createLoadQueue } from '../load/loadQueue.ts'
import { createRenderer } from './createRenderer.ts'
import { createCompressor, createFile, sendFile } from './file.ts'
import { createPage, toHtml } from './page.ts'
import { findPagePath, readSite } from './site.ts'

const inline = 'document.title = "页"'
const html =
  `<!doctype html><head><script nonce="__NONCE__">${inline}</script><style nonce="__NONCE__">p{}</style></head>` +
  `${'<p>页</p>'.repeat(300)}<script id="nonce" type="text/plain">__NONCE__</script></body>`
const nonceOf = (text: string) => /<script id="nonce" type="text\/plain">([^<]+)</.exec(text)?.[1]
const hashOf = (text: string) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`
const paths = JSON.stringify(['/', '/metrics', '/search', '/referrals', '/referrers'])
const script = 'export const many = 1;\n'.repeat(500)

let dir: string
let served: Served

beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'site-'))
  await mkdir(join(dir, 'assets'))
  await mkdir(join(dir, '.vite'))
  await writeFile(join(dir, '.vite/paths.json'), paths)
  await writeFile(join(dir, 'index.html'), html)
  await writeFile(join(dir, 'assets/index-abc123.js'), script)
  await writeFile(join(dir, 'assets/logo-abc123.png'), Buffer.alloc(4000))
  await writeFile(join(dir, 'manifest.json'), '{"name":"Lineage"}')
  await writeFile(join(dir, 'icon.svg'), '<svg xmlns="http://www.w3.org/2000/svg"/>')
  served = await serve({
    site: await readSite(dir),
    settings: { publicRpcUrls: ['https://bsc.example/key', 'https://bsc.example/other'], relayProjectId: null },
  })
})

afterAll(async () => {
  await served.close()
  await rm(dir, { recursive: true })
})

function policyOf(header: unknown): Record<string, string> {
  return Object.fromEntries(
    String(header)
      .split('; ')
      .map((directive) => [directive.split(' ')[0], directive.slice(directive.indexOf(' ') + 1)]),
  )
}

describe('page', () => {
  test('behavior: the policy has the nonce of the page, and the hashes of its scripts and styles', async () => {
    const { status, headers, body } = await ask(served.url, '/')
    const text = body.toString()
    const nonce = nonceOf(text)
    expect(status).toBe(200)
    expect(nonce).toMatch(/^[\w+/]{22}==$/)
    expect(text).toContain(`<script>${inline}</script><style>p{}</style>`)
    expect(text).not.toContain('__NONCE__')
    expect(policyOf(headers['content-security-policy'])).toEqual({
      'default-src': "'none'",
      'script-src': `'self' ${hashOf(inline)}`,
      'style-src': `'self' ${hashOf('p{}')} 'nonce-${nonce}'`,
      'img-src': "'self' data:",
      'font-src': "'self'",
      'connect-src':
        "'self' https://bsc.example https://www.walletlink.org wss://www.walletlink.org https://rpc.wallet.coinbase.com",
      'frame-src': "'none'",
      'frame-ancestors': "'self' https://app.safe.global",
      'manifest-src': "'self'",
      'base-uri': "'none'",
      'form-action': "'self'",
      'object-src': "'none'",
    })
  })

  test('behavior: each response has its own nonce and no validator', async () => {
    const [one, two] = await Promise.all([ask(served.url, '/'), ask(served.url, '/')])
    expect(one.headers['content-security-policy']).not.toBe(two.headers['content-security-policy'])
    expect(one.headers.etag).toBeUndefined()
    expect(one.headers['last-modified']).toBeUndefined()
    expect(one.headers['cache-control']).toBe('no-cache, no-transform')
  })

  test('behavior: the policy has the relay hosts only with a project id', async () => {
    const relayed = await serve({ site: await readSite(dir), settings: { relayProjectId: 'abc' } })
    const { headers } = await ask(relayed.url, '/')
    await relayed.close()
    const policy = policyOf(headers['content-security-policy'])
    expect(policy['connect-src']).toContain('wss://relay.walletconnect.org')
    expect(policy['frame-src']).toBe('https://verify.walletconnect.org https://verify.walletconnect.com')
  })

  test('behavior: the policy has the configured relay instead of WalletConnect’s', async () => {
    const settings = { relayProjectId: 'abc', relayUrl: 'wss://relay.example:8443/path?key=1' }
    const relayed = await serve({ site: await readSite(dir), settings })
    const { headers } = await ask(relayed.url, '/')
    await relayed.close()
    const { 'connect-src': connect = '', 'frame-src': frame } = policyOf(headers['content-security-policy'])
    expect(connect.split(' ')).toContain('wss://relay.example:8443')
    expect(connect).not.toContain('relay.walletconnect')
    expect(frame).toContain('https://verify.walletconnect.org')
  })

  test('attack: the page of a path of very many slashes is found at once', () => {
    // Time that grew with their square would be longer than the limit of a test.
    const slashes = '/'.repeat(500_000)
    const find = (path: string) => findPagePath(path, ['/', '/search'])
    expect([`${slashes}a`, slashes, `/Search${slashes}`].map(find)).toEqual([undefined, '/', '/search'])
  })

  test.each(['/metrics', '/referrals?address=0x12', '/referrers', '/search?q=a.b'])(
    'behavior: deep link %s gets the page',
    async (target) => {
      const { status, headers } = await ask(served.url, target)
      expect(status).toBe(200)
      expect(headers['content-type']).toBe('text/html; charset=utf-8')
    },
  )

  test('behavior: an unknown path gets the page, which says that there is nothing', async () => {
    const unknown = await ask(served.url, '/nothing?address=0x12')
    expect([unknown.status, unknown.headers['content-type']]).toEqual([404, 'text/html; charset=utf-8'])
    expect(unknown.body.toString()).toContain('<p>页</p>')
  })

  test.each([
    ['br, gzip', 'br', brotliDecompressSync],
    ['gzip', 'gzip', gunzipSync],
  ])('behavior: compressed for %s', async (accepted, encoding, decode) => {
    const { headers, body } = await ask(served.url, '/', { headers: { 'accept-encoding': accepted } })
    expect(headers['content-encoding']).toBe(encoding)
    expect(headers.vary).toBe('Accept-Encoding, Cookie')
    expect(body.length).toBeLessThan(html.length / 4)
    expect(decode(body).toString()).toContain('<p>页</p>')
  })

  test('behavior: HEAD has headers and no body', async () => {
    const { status, headers, body } = await ask(served.url, '/metrics', { method: 'HEAD' })
    expect([status, headers['content-type'], body.length]).toEqual([200, 'text/html; charset=utf-8', 0])
  })

  test.each(['POST', 'PUT', 'DELETE'])('behavior: %s is refused', async (method) => {
    const { status, headers, body } = await ask(served.url, '/metrics', { method })
    expect(status).toBe(405)
    expect(headers.allow).toBe('GET, HEAD')
    expect(JSON.parse(body.toString()).code).toBe('method_not_allowed')
  })
})

describe('files', () => {
  test('behavior: a hashed asset is compressed and immutable', async () => {
    const asked = { headers: { 'accept-encoding': 'gzip, br' } }
    const { headers, body } = await ask(served.url, '/assets/index-abc123.js', asked)
    expect(headers['cache-control']).toBe('public, max-age=31536000, immutable')
    expect(headers['content-encoding']).toBe('br')
    expect(headers['content-type']).toMatch(/^text\/javascript/)
    expect(brotliDecompressSync(body).toString()).toBe(script)
    expect((await ask(served.url, '/assets/index-abc123.js')).body.toString()).toBe(script)
  })

  test('behavior: a script has its smallest form after the first request', async () => {
    const file = createFile(await readFile(import.meta.filename), 'text/javascript')
    const request = new Request('http://localhost', { headers: { 'accept-encoding': 'br' } })
    const size = async () => Number((await sendFile(request, file, {})).headers.get('content-length'))
    const first = await size()
    await expect.poll(size).toBeLessThan(first)
  })

  test.each([
    ['/metrics/', '/metrics'],
    ['/referrers//?address=0x12&lang=en', '/referrers?address=0x12&lang=en'],
    ['/index.html?a=%2F', '/?a=%2F'],
    ['/%6detrics', '/metrics'],
  ])('behavior: %s leads to the page at %s', async (target, page) => {
    const { status, headers } = await ask(served.url, target)
    expect([status, headers.location]).toEqual([301, page])
  })

  test('behavior: an image is not compressed', async () => {
    const asked = { headers: { 'accept-encoding': 'gzip, br' } }
    const { headers, body } = await ask(served.url, '/assets/logo-abc123.png', asked)
    expect(headers['content-encoding']).toBeUndefined()
    expect(body.length).toBe(4000)
  })

  test('behavior: a matching If-None-Match gets 304', async () => {
    const { etag } = (await ask(served.url, '/icon.svg')).headers
    const again = await ask(served.url, '/icon.svg', { headers: { 'if-none-match': `"x", ${etag}` } })
    expect([again.status, again.body.length]).toEqual([304, 0])
  })

  test('behavior: only the manifest is readable across origins', async () => {
    expect((await ask(served.url, '/manifest.json')).headers['access-control-allow-origin']).toBe('*')
    expect((await ask(served.url, '/icon.svg')).headers['access-control-allow-origin']).toBeUndefined()
    expect((await ask(served.url, '/')).headers['access-control-allow-origin']).toBeUndefined()
  })

  test.each([
    '/assets/index-old.js',
    '/assets/nothing',
    '/favicon.ico',
    '/metrics/app.css',
    '/%ff',
    '/../../etc/passwd.txt',
    '/assets/..%2f..%2fpackage.json',
  ])('behavior: the missing file %s gets 404, not the page', async (target) => {
    const { status, headers, body } = await ask(served.url, target)
    expect(status).toBe(404)
    expect(headers['content-type']).toBe('application/problem+json')
    expect(JSON.parse(body.toString()).code).toBe('not_found')
  })

  test('behavior: a script has no headers of a document', async () => {
    const { headers } = await ask(served.url, '/assets/index-abc123.js')
    expect(headers).toMatchObject({
      'x-content-type-options': 'nosniff',
      'content-type': expect.stringContaining('javascript'),
    })
    expect(Object.keys(headers).filter((name) => /policy/.test(name))).toEqual([])
  })

  test.each(['/', '/icon.svg', '/assets/none', '/v1/config'])(
    'behavior: %s has the security headers',
    async (target) => {
      const { headers } = await ask(served.url, target)
      expect(headers).toMatchObject({
        'x-content-type-options': 'nosniff',
        'referrer-policy': 'strict-origin-when-cross-origin',
        'permissions-policy': expect.stringContaining('camera=(self)'),
        'cross-origin-opener-policy': 'same-origin-allow-popups',
        'content-security-policy': expect.stringContaining("default-src 'none'"),
      })
      expect(headers['x-frame-options']).toBeUndefined()
    },
  )
})

test('behavior: a body is compressed once until it changes', () => {
  const compress = createCompressor(1)
  const first = compress(Buffer.from(html), 'gzip', '/a')
  expect(gunzipSync(first).toString()).toBe(html)
  expect(compress(Buffer.from(html), 'gzip', '/a')).toBe(first)
  expect(brotliDecompressSync(compress(Buffer.from(html), 'br', '/a')).toString()).toBe(html)
  expect(gunzipSync(compress(Buffer.from(script), 'gzip', '/a')).toString()).toBe(script)
  expect(gunzipSync(compress(Buffer.from(html), 'gzip', '/a')).toString()).toBe(html)
  compress(Buffer.from(html), 'gzip', '/b')
  expect(compress(Buffer.from(html), 'gzip', '/a')).not.toBe(first)
})

describe('rendered pages', () => {
  // A build whose page shows what it was asked for, and the status of a lookup without and with an account.
  const renderer = `
    let pages = 0
    export const createRenderer = () => async ({ url, language, fetch }) => {
      if (url.endsWith('broken')) throw new Error('The component is broken.')
      if (url.endsWith('endless')) for (;;);
      if (url.includes('slow')) await new Promise((resolve) => setTimeout(resolve, 3_000))
      const lookup = await fetch('/v1/communities/demo/metrics')
      const account = await fetch('/v1/labels')
      const { members } = await lookup.json()
      return '<!doctype html><head></head><script id="nonce" type="text/plain">__NONCE__</script>' +
        [++pages, url, language, members, account.status].join(' ')
    }`
  let rendered: Served

  beforeAll(async () => {
    const build = join(dir, 'rendered')
    for (const folder of ['server', '.vite']) await mkdir(join(build, folder), { recursive: true })
    await writeFile(join(build, '.vite/paths.json'), paths)
    await writeFile(join(build, 'index.html'), html)
    await writeFile(join(build, 'server/render.js'), renderer)
    await writeFile(join(build, 'server/package.json'), '{"type":"module"}')
    const events = [bind(1, 1, 0), bind(2, 2, 1)]
    rendered = await serve({
      site: await readSite(build),
      step: { block: 100, events },
      settings: { trustedProxies: 1 },
      // A busy machine begins no page in time with the limits of a server.
      queue: createLoadQueue({ pagePatience: 30_000 }),
    })
  })
  afterAll(() => rendered.close())

  const page = async (target: string, headers: Record<string, string> = {}) => {
    const { body, headers: got } = await ask(rendered.url, target, { headers })
    const [, number, ...rest] = /<\/script>(\d+) (.*)/.exec(body.toString()) ?? []
    return { number, shown: rest[0], policy: String(got['content-security-policy']), text: body.toString() }
  }

  test('behavior: a page has its answer, in the language of the URL or of the cookie, and asks without an account', async () => {
    await expect.poll(async () => (await page('/?lang=en')).shown).toBe('/?lang=en en 2 401')
    const cookie = 'session=secret; lineage-language=zh-TW'
    await expect.poll(async () => (await page('/metrics', { cookie })).shown).toBe('/metrics zh-TW 2 401')
    await expect.poll(async () => (await page('/metrics')).shown).toBe('/metrics zh-CN 2 401')
  })

  test('behavior: a page is rendered once for a block, with a nonce for each response', async () => {
    await expect.poll(async () => (await page('/?once')).number).toBeDefined()
    const [one, two] = await Promise.all([page('/?once'), page('/?once')])
    expect(one.number).toBe(two.number)
    expect(one.policy).not.toBe(two.policy)
    expect(one.text).not.toContain('__NONCE__')
    await rendered.tables.step('demo', { block: 101, events: [bind(101, 3, 1)] })
    await expect.poll(async () => (await page('/?once')).shown).toBe('/?once zh-CN 3 401')
  })

  test('attack: a text of a visitor is neither the nonce nor a script, and has no tags', () => {
    const text =
      '</head><script nonce="__NONCE__">evil()</script><script id="nonce" type="text/plain">__NONCE__</script>'
    const escaped = `<a href="/?address=${toHtml(text)}">${toHtml(text)}</a>`
    const page = createPage(`<head></head>${escaped}<script id="nonce" type="text/plain">__NONCE__</script>`)
    expect(page.sources).toEqual({ script: '', style: '' })
    const shown = Buffer.from(page.toBody('abc', 'identity', '<meta>')).toString()
    expect(shown).toBe(`<head><meta></head>${escaped}<script id="nonce" type="text/plain">abc</script>`)
  })

  test('property: compressed, a page is the same, with each nonce and all tags', () => {
    const text = fc.string({ unit: 'binary', maxLength: 3_000 })
    const place = '<script id="nonce" type="text/plain">__NONCE__</script>'
    fc.assert(
      fc.property(text, text, fc.array(fc.tuple(text, text), { maxLength: 12 }), (before, after, answers) => {
        const page = createPage(`<head></head>${before}${place}${after}`)
        for (const [nonce, tags] of answers) {
          const plain = Buffer.from(page.toBody(nonce, 'identity', tags))
          expect(gunzipSync(page.toBody(nonce, 'gzip', tags))).toEqual(plain)
          expect(brotliDecompressSync(page.toBody(nonce, 'br', tags))).toEqual(plain)
        }
      }),
    )
  })

  test('behavior: a script with the line ends of Windows has the hash that browsers compute', () => {
    const { sources } = createPage('<script nonce="__NONCE__">a()\r\nb()</script>')
    expect(sources.script).toBe(hashOf('a()\nb()'))
  })

  test('error: a page whose nonce is not its last part is refused', () => {
    const rest = 'x'.repeat(65_001)
    expect(() => createPage(`<script id="nonce" type="text/plain">__NONCE__</script>${rest}`)).toThrow('its last part')
  })

  test.each(['gzip', 'br'] as const)('behavior: %s of a page without a nonce is complete', (encoding) => {
    const decode = { gzip: gunzipSync, br: brotliDecompressSync }[encoding]
    expect(decode(createPage(script).toBody('', encoding)).toString()).toBe(script)
  })

  test('attack: pages of one visitor leave place for those of others', async () => {
    const slow = Array.from({ length: 10 }, (_, index) => page(`/?slow=${index}`, { 'x-forwarded-for': '203.0.113.7' }))
    await slow[9]
    expect((await page('/?other', { 'x-forwarded-for': '198.51.100.7' })).number).toBeDefined()
    await Promise.all(slow)
  })

  test('behavior: a page that cannot begin in time is the page that the browser renders', async () => {
    const queue = createLoadQueue({ pages: 1, pageSlow: 60_000, pagePatience: 50 })
    const busy = await serve({ site: await readSite(join(dir, 'rendered')), step: { block: 100, events: [] }, queue })
    const read = async (target: string) => String((await ask(busy.url, target)).body)
    await expect.poll(() => read('/')).not.toContain('<p>页</p>')
    const slow = read('/?slow')
    let others = 0
    await expect.poll(() => read(`/?other=${++others}`)).toContain('<p>页</p>')
    await slow
    await busy.close()
  })

  test('error: a thread that does not end a page is replaced', async () => {
    const renderer = createRenderer(join(dir, 'rendered'), { page: 1_000, restart: 0 })
    const answer = async (path: string) => Response.json({ members: path.length })
    const render = async (url: string) => String(Buffer.from(await renderer.render({ url, language: 'en', answer })))
    await expect.poll(renderer.isReady).toBe(true)
    const failed = await Promise.allSettled([render('/?endless'), render('/?waits')])
    expect(failed.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
    await expect.poll(renderer.isReady).toBe(true)
    expect(await render('/?later')).toContain('1 /?later en')
    for (const refuse of [async () => new Response('', { status: 503 }), () => Promise.reject(new Error('No answer.'))])
      await expect(renderer.render({ url: '/?refused', language: 'en', answer: refuse })).rejects.toThrow()
    await renderer.close()
  })

  test.each(['/?community=other', '/?broken', '/nowhere'])(
    'behavior: without an indexed answer, %s is the page that the browser renders',
    async (target) => {
      expect((await page(target)).text).toContain('<p>页</p>')
    },
  )

  test.each(['/server/render.js', '/server/package.json', '/.vite/paths.json'])(
    'behavior: %s is not served',
    async (target) => {
      expect((await ask(rendered.url, target)).status).toBe(404)
    },
  )
})

test('error: a directory without a build', async () => {
  await expect(readSite(join(dir, 'assets'))).rejects.toThrow(/not built: .*index\.html is missing/)
  await writeFile(join(dir, 'assets/index.html'), html)
  await expect(readSite(join(dir, 'assets'))).rejects.toThrow(/not built: .*paths\.json is missing/)
  await rm(join(dir, 'assets/index.html'))
})

test('error: a folder that cannot be read is not called missing', async () => {
  const loop = join(dir, 'assets/loop')
  await symlink(loop, loop)
  await expect(readSite(loop)).rejects.toThrow(/^The web app cannot be read: ELOOP: .*loop'\.$/)
  await rm(loop)
})
