import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { communities, member, pastMember } from '@lineage/referral-api/schemas'
import * as fc from 'fast-check'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { ask, serve } from '../../test/serve.ts'
import { startUpstream } from '../../test/upstream.ts'
import type { Indexer } from '../indexer/createIndexer.ts'
import type { Limits } from '../load/limits.ts'
import { createOverload } from '../load/overload.ts'
import { readSite } from '../site/readSite.ts'
import { createLinkPreview } from './createLinkPreview.ts'
import { findLanguage } from './previewTexts.ts'

const address = '0x52908400098527886E0F7030069857D2E4169EE7'
const referrer = '0x8617E340B3D01FA5F11F306F4090FD50E238070D'
const asOf = { block: 9, timestamp: 1_795_000_000, finalizedBlock: 1 }

const card = member.parse({
  asOf,
  address,
  status: 'member',
  referrer,
  root: referrer,
  depth: 3,
  joinedAt: 1_790_000_000,
  block: 5,
  tx: null,
  directs: 12,
  team: 1_234,
  maxLevel: 4,
  ownVolume: '0',
  teamVolume: '0',
  largestLeg: '0',
  otherLegs: '0',
  rewards: '0',
})
const pastCard = (at: object) => pastMember.parse({ ...card, at, directs: 4, team: 56 })
const ofDay = { block: null, timestamp: Date.parse('2026-06-01T23:59:59Z') / 1_000 }
const ofBlock = { block: 40_123_456, timestamp: null }
const communitiesOf = (name: string | Record<string, string>) =>
  communities.parse({
    asOf,
    items: [
      {
        id: 'demo',
        name,
        contract: address,
        chainId: 56,
        startBlock: 1,
        members: 4_321,
        status: 'ready',
        tokens: { volume: null, reward: null },
        parentView: null,
        explorer: null,
      },
    ],
  })

let dir: string
const open: { close: () => Promise<void> }[] = []
beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'preview-'))
  await writeFile(join(dir, 'index.html'), '<!doctype html><head><script nonce="__NONCE__"></script></head><p>页</p>')
})
afterAll(() => rm(dir, { recursive: true }))
afterEach(async () => {
  for (const one of open.splice(0)) await one.close()
})

/** Serves the page with an indexer of one community and one member, and records the requests to the indexer. */
async function behind({
  name = '青禾社区',
  answer = 'at once',
  work = 0,
  lookups,
}: {
  name?: string | Record<string, string>
  answer?: 'at once' | 'never' | 'wrongly' | 'refusing'
  work?: number
  lookups?: Limits['lookups']
} = {}) {
  const asked: string[] = []
  const upstream = await startUpstream(({ url = '' }, response) => {
    asked.push(url)
    if (answer === 'never') return
    const [path = '', moment] = url.split('?asOf=')
    const known = path.endsWith('/communities') || path.toLowerCase().endsWith(address.toLowerCase())
    const found = moment === undefined ? card : pastCard(moment.includes('-') ? ofDay : ofBlock)
    response.writeHead(known && answer !== 'refusing' ? 200 : 404, {
      'content-type': 'application/json',
      'server-timing': `work;dur=${work}`,
    })
    if (answer === 'wrongly') return void response.end('{"items":[{}]}')
    response.end(JSON.stringify(url.endsWith('/communities') ? communitiesOf(name) : found))
  })
  const overload = createOverload({ readDelay: () => 0 })
  const served = await serve({
    site: await readSite(dir),
    settings: { indexers: [upstream.url] },
    overload,
    timeout: 500,
    ...(lookups && { limits: { lookups } }),
  })
  open.push(served, upstream)
  const page = async (target: string, headers: Record<string, string> = {}) => {
    const { body, headers: got } = await ask(served.url, target, { headers })
    return (got['content-encoding'] === 'gzip' ? gunzipSync(body) : body).toString()
  }
  /** Reads a page until it has its preview: on a busy machine the answer may take longer than the page waits. */
  const pageWithPreview = async (target: string) => {
    await expect.poll(async () => tag(await page(target), 'og:title')).not.toBe('Lineage')
    return page(target)
  }
  return { asked, page, pageWithPreview, url: served.url }
}

const tag = (html: string, name: string) =>
  new RegExp(`<meta (?:property|name)="${name}" content="([^"]*)">`).exec(html)?.[1]
const general = '查询 BNB Smart Chain 上的社区与推荐关系'
const placeThen = '团队 56 人 · 直推 4 人 · 第 3 层 · 上级 0x86…070D'

test('behavior: the link to a member has its place and its team', async () => {
  const { pageWithPreview } = await behind()
  const html = await pageWithPreview(`/?address=${address}`)
  expect(tag(html, 'og:title')).toBe('0x52…9EE7 · 青禾社区')
  expect(tag(html, 'og:description')).toBe('团队 1,234 人 · 直推 12 人 · 第 3 层 · 上级 0x86…070D')
  expect(tag(html, 'twitter:card')).toBe('summary')
  expect(html.indexOf('og:title')).toBeLessThan(html.indexOf('</head>'))
  expect(html).not.toContain('__NONCE__')
})

test('behavior: compressed, the page is the same', async () => {
  const { page, pageWithPreview } = await behind()
  const target = `/?address=${address}`
  await pageWithPreview(target)
  const withoutNonce = (html: string) => html.replace(/nonce="[^"]*"/g, '')
  expect(withoutNonce(await page(target, { 'accept-encoding': 'gzip' }))).toBe(withoutNonce(await page(target)))
})

test.each([
  ['/referrals?address=ADDRESS&lang=en', {}, 'Team: 1,234 · Direct referrals: 12 · Depth 3 · Referrer 0x86…070D'],
  [
    '/?address=ADDRESS&lang=zh-TW',
    { 'accept-language': 'en' },
    '團隊 1,234 人 · 直推 12 人 · 第 3 層 · 上級 0x86…070D',
  ],
  ['/?address=ADDRESS&asOf=2026-06-01', {}, `截至 2026年6月1日 23:59 UTC · ${placeThen}`],
  ['/referrers?address=ADDRESS&asOf=40123456', {}, `截至区块 40,123,456 · ${placeThen}`],
  [
    '/?address=ADDRESS&asOf=2026-06-01&lang=en',
    {},
    'As of Jun 1, 2026, 11:59 PM UTC · Team: 56 · Direct referrals: 4 · Depth 3 · Referrer 0x86…070D',
  ],
  ['/?address=ADDRESS&asOf=yesterday', {}, general],
  ['/?address=ADDRESS&asOf=', {}, '团队 1,234 人 · 直推 12 人 · 第 3 层 · 上级 0x86…070D'],
  // The page opens in Chinese as well.
  ['/metrics', { 'accept-language': 'en' }, '4,321 名成员'],
  ['/metrics?asOf=2026-06-01', {}, general],
  ['/?community=demo&lang=en', {}, 'Members: 4,321'],
  ['/', {}, general],
  ['/?address=0x12', {}, general],
  ['/?address=ADDRESS&community=other', {}, general],
  [`/?address=0x${'1'.repeat(40)}`, {}, general],
])('behavior: %s is described in its language', async (target, headers, description) => {
  const { page } = await behind()
  const path = target.replace('ADDRESS', address.toLowerCase())
  await expect.poll(async () => tag(await page(path, headers), 'og:description')).toBe(description)
})

test.each([
  '"><script>alert(1)</script>',
  "' onload='x",
  '\u202Eevil\u0000\n</head>',
  '&quot;&lt;b&gt;',
  '__NONCE__',
  '好'.repeat(5_000),
])('behavior: a community called %j cannot change the page', async (name) => {
  const { pageWithPreview } = await behind({ name })
  const html = await pageWithPreview(`/?address=${address}`)
  const title = tag(html, 'og:title') ?? ''
  expect(title).toMatch(/^0x52…9EE7 · /)
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what a name must not bring in
  expect(title).not.toMatch(/[<>"'\u0000-\u001f\u202e]/)
  expect(html.match(/<script/g)).toHaveLength(1)
  expect(html.match(/<\/head>/g)).toHaveLength(1)
  expect(title.length).toBeLessThan(400)
})

test('property: no address and no community of a URL gets into the page or asks for another path', async () => {
  const { page, asked } = await behind()
  await fc.assert(
    fc.asyncProperty(fc.string({ unit: 'grapheme' }), fc.string({ unit: 'grapheme' }), async (given, community) => {
      const query = new URLSearchParams({ address: `0x${given}`, community: `${community}<"` })
      const html = await page(`/?${query}`)
      expect(tag(html, 'og:title')).toBe('Lineage')
    }),
    { numRuns: 50 },
  )
  expect(new Set(asked)).toEqual(new Set(['/v1/communities']))
})

test('behavior: an answer is kept, also for an address in another case', async () => {
  const { page, pageWithPreview, asked } = await behind()
  await pageWithPreview(`/?address=${address}`)
  await page(`/?address=${address.toLowerCase()}&lang=en`)
  await page('/metrics')
  expect(asked).toHaveLength(2)
})

test.each(['never', 'wrongly', 'refusing'] as const)(
  'behavior: with an index that answers %s, the page has the general title',
  async (answer) => {
    const { page } = await behind({ answer })
    const html = await page(`/?address=${address}`)
    expect(tag(html, 'og:title')).toBe('Lineage')
    expect(html).toContain('<p>页</p>')
  },
)

test('behavior: what a moment names is no part of the path, and a malformed one asks for nothing', async () => {
  const { page, pageWithPreview, asked } = await behind()
  await pageWithPreview(`/?address=${address}`)
  for (const moment of ['1/../../x', '2026-06-01&asOf=1', '%00', '-1', '9'.repeat(11)])
    await page(`/?address=${address}&asOf=${encodeURIComponent(moment)}`)
  expect(asked).toHaveLength(2)
})

test('behavior: a preview costs a lookup with its work, and a visitor without any left gets the page without it', async () => {
  const asked: string[] = []
  const create = (answer: () => Response) =>
    createLinkPreview({
      indexer: { read: (async () => communitiesOf('青禾')) as unknown as Indexer['read'] },
      lookUpMember: async (visitor, target) => {
        asked.push(`${visitor} ${target}`)
        return answer()
      },
    })
  const request = new Request(`http://localhost/?address=${address}`)
  const refused = create(() => new Response(null, { status: 429 }))
  expect(await refused(request, 'a')).toContain('content="Lineage"')
  await refused(request, 'b')
  expect(await create(() => Response.json(card))(request, 'c')).toContain('0x52…9EE7')
  const path = `/v1/communities/demo/members/${address.toLowerCase()}`
  expect(asked).toEqual([`a ${path}`, `b ${path}`, `c ${path}`])
})

test('behavior: the work on a past moment is charged to the visitor', async () => {
  const { page } = await behind({ work: 1_000, lookups: { burst: 2, perSecond: 0.001 } })
  const titleOf = async (target: string) => tag(await page(target), 'og:title')
  await expect.poll(() => titleOf(`/?address=${address}&asOf=2026-06-01`)).not.toBe('Lineage')
  expect(await titleOf(`/?address=${address}&asOf=2026-06-02`)).toBe('Lineage')
})

test.each([
  ['zh-Hant', 'zh-TW'],
  ['zh_HK', 'zh-TW'],
  ['zh', 'zh-CN'],
  ['en-GB', 'en'],
  ['xx', 'zh-CN'],
  ['tw', 'zh-CN'],
  ['"><b>', 'zh-CN'],
  [null, 'zh-CN'],
] as const)('behavior: lang=%s is %s', (lang, language) => {
  expect(findLanguage(lang)).toBe(language)
})
