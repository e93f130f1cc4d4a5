import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { findLanguage } from '@lineage/referral-api/language'
import * as fc from 'fast-check'
import { getAddress } from 'viem'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { ask, serve } from '../../test/serve.ts'
import { addressOf, bind } from '../follow/test/tables.ts'
import type { Limits } from '../load/limits.ts'
import { readSite } from '../site/site.ts'
import { describeCommunity } from './createLinkPreview.ts'

const address = getAddress(addressOf(2))
const time = Date.parse('2026-06-01T12:00:00Z') / 1_000

let dir: string
const open: { close: () => Promise<void> }[] = []
beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'preview-'))
  await mkdir(join(dir, '.vite'))
  await writeFile(join(dir, '.vite/paths.json'), '["/", "/metrics", "/referrals", "/referrers"]')
  await writeFile(
    join(dir, 'index.html'),
    '<!doctype html><head></head><p>页</p><script id="nonce" type="text/plain">__NONCE__</script>',
  )
})
afterAll(() => rm(dir, { recursive: true }))
afterEach(async () => {
  for (const one of open.splice(0)) await one.close()
})

/** Serves the page with a member on level 2, who has a team of two, one of them since the second of June. */
async function behind({
  lookups,
  state = 'ready',
}: {
  lookups?: Limits['lookups']
  state?: 'ready' | 'starting'
} = {}) {
  const at = (days: number) => ({ timestamp: time + days * 86_400 })
  const events = [
    { ...bind(1, 1, 0), ...at(0) },
    { ...bind(2, 2, 1), ...at(0) },
    { ...bind(3, 3, 2), ...at(0) },
    { ...bind(4, 4, 3), ...at(1) },
  ]
  const served = await serve({
    site: await readSite(dir),
    step: state === 'ready' ? { block: 100, time: time + 5 * 86_400, events } : null,
    ...(lookups && { limits: { lookups } }),
  })
  open.push(served)
  const page = async (target: string, headers: Record<string, string> = {}) => {
    const { body, headers: got } = await ask(served.url, target, { headers })
    return (got['content-encoding'] === 'gzip' ? gunzipSync(body) : body).toString()
  }
  /** Reads a page until it has its preview: on a busy machine the answer may take longer than the page waits. */
  const pageWithPreview = async (target: string) => {
    await expect.poll(async () => tag(await page(target), 'og:title')).not.toBe('Lineage')
    return page(target)
  }
  return { page, pageWithPreview }
}

const tag = (html: string, name: string) =>
  new RegExp(`<meta (?:property|name)="${name}" content="([^"]*)">`).exec(html)?.[1]
const general = '查询 BNB Smart Chain 上的社区与推荐关系'
const short = (text: string) => `${text.slice(0, 4)}…${text.slice(-4)}`
const referrer = short(getAddress(addressOf(1)))
const place = `团队 2 人 · 直推 1 人 · 第 2 层 · 上级 ${referrer}`
const placeThen = `团队 1 人 · 直推 1 人 · 第 2 层 · 上级 ${referrer}`

test('behavior: the link to a member has its place and its team', async () => {
  const { pageWithPreview } = await behind()
  const html = await pageWithPreview(`/?address=${address}`)
  expect(tag(html, 'og:title')).toBe(`${short(address)} · Demo`)
  expect(tag(html, 'og:description')).toBe(place)
  expect(tag(html, 'twitter:card')).toBe('summary')
  expect(html.indexOf('og:title')).toBeLessThan(html.indexOf('</head>'))
  expect(html).not.toContain('__NONCE__')
})

test('behavior: compressed, the page is the same', async () => {
  const { page, pageWithPreview } = await behind()
  const target = `/?address=${address}`
  await pageWithPreview(target)
  const withoutNonce = (html: string) => html.replace(/plain">[^<]*/, '')
  expect(withoutNonce(await page(target, { 'accept-encoding': 'gzip' }))).toBe(withoutNonce(await page(target)))
})

test('behavior: a link is described in its language, at its moment', async () => {
  const { page } = await behind()
  for (const [target, headers, description] of [
    ['/referrals?address=ADDRESS&lang=en', {}, `Team: 2 · Direct referrals: 1 · Depth 2 · Referrer ${referrer}`],
    ['/?address=ADDRESS&lang=zh-TW', { 'accept-language': 'en' }, `團隊 2 人 · 直推 1 人 · 第 2 層 · 上級 ${referrer}`],
    ['/?address=ADDRESS&asOf=2026-06-01', {}, `截至 2026年6月1日 23:59 UTC+8 · ${placeThen}`],
    ['/referrers?address=ADDRESS&asOf=3', {}, `截至区块 3 · ${placeThen}`],
    [
      '/?address=ADDRESS&asOf=2026-06-01&lang=en',
      {},
      `As of Jun 1, 2026, 11:59 PM UTC · Team: 1 · Direct referrals: 1 · Depth 2 · Referrer ${referrer}`,
    ],
    ['/?address=ADDRESS&asOf=yesterday', {}, general],
    ['/member?address=ADDRESS', {}, general],
    ['/referrals/all?address=ADDRESS', {}, general],
    ['/?address=ADDRESS&asOf=', {}, place],
    // The page opens in Chinese as well.
    ['/metrics', { 'accept-language': 'en' }, '4 名成员'],
    ['/metrics?asOf=2026-06-01', {}, general],
    ['/?community=demo&lang=en', {}, 'Members: 4'],
    ['/', {}, general],
    ['/?address=0x12', {}, general],
    ['/?address=ADDRESS&community=other', {}, general],
    [`/?address=0x${'1'.repeat(40)}`, {}, general],
  ] as const) {
    const path = target.replace('ADDRESS', address.toLowerCase())
    await expect
      .poll(async () => tag(await page(path, headers), 'og:description'), { message: target })
      .toBe(description)
  }
})

test.each([
  '"><script>alert(1)</script>',
  "' onload='x",
  '\u202Eevil\u0000\n</head>',
  '&quot;&lt;b&gt;',
  '__NONCE__',
  '好'.repeat(5_000),
])('attack: a community called %j cannot hide other text', (name) => {
  const { title } = describeCommunity({ name, members: 1 }, 'zh-CN')
  expect(title).toMatch(/ · Lineage$/)
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what a name must not bring in
  expect(title).not.toMatch(/[\u0000-\u001f\u202e]/)
  expect(title.length).toBeLessThan(100)
})

test('property: no address and no community of a URL gets into the page', async () => {
  const { page } = await behind()
  await fc.assert(
    fc.asyncProperty(fc.string({ unit: 'grapheme' }), fc.string({ unit: 'grapheme' }), async (given, community) => {
      const query = new URLSearchParams({ address: `0x${given}`, community: `${community}<"` })
      const html = await page(`/?${query}`)
      expect(tag(html, 'og:title')).toBe('Lineage')
      expect(html.match(/<script/g)).toHaveLength(1)
      expect(html.match(/<\/head>/g)).toHaveLength(1)
    }),
    { numRuns: 50 },
  )
})

test('behavior: while the community is not indexed, the page has the general title', async () => {
  const { page } = await behind({ state: 'starting' })
  const html = await page(`/?address=${address}`)
  expect(tag(html, 'og:title')).toBe('Lineage')
  expect(html).toContain('<p>页</p>')
})

test('behavior: a preview costs a lookup, an answer is kept for all, and without a share there is none', async () => {
  const { page, pageWithPreview } = await behind({ lookups: { burst: 1, perSecond: 0.001 } })
  const titleOf = async (target: string) => tag(await page(target), 'og:title')
  await pageWithPreview(`/?address=${address}`)
  // The same member in another case and language, which costs nothing.
  expect(await titleOf(`/?address=${address.toLowerCase()}&lang=en`)).toBe(`${short(address)} · Demo`)
  expect(await titleOf(`/?address=${addressOf(3)}`)).toBe('Lineage')
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
  expect(findLanguage(lang, undefined)).toBe(language)
})
