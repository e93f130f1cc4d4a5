import fc from 'fast-check'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { findAppLink } from '../react/device/appLinks.ts'
import { parseRegistry, walletConnectRegistry } from './walletConnectRegistry.ts'

const uri = `wc:${'a'.repeat(64)}@2?relay-protocol=irn&symKey=${'b'.repeat(64)}`
const trust = {
  name: 'Trust Wallet',
  image_url: { sm: 'https://explorer-api.walletconnect.com/v3/logo/sm/7677b54f?projectId=1' },
  app: { ios: 'https://apps.apple.com/app/id1288339409', android: 'https://play.google.com/store/apps/details?id=x' },
  mobile: { native: 'trust://', universal: 'https://link.trustwallet.com' },
}
const parse = (entry: unknown) => parseRegistry({ listings: { '4622': entry } }, 'ios')

test('an app has its name, its icon and its links', () => {
  expect(parse(trust)).toEqual([
    {
      id: 'registry:4622',
      name: 'Trust Wallet',
      iconUrl: trust.image_url.sm,
      iconBackground: '#fff',
      relayLinks: { ios: 'trust://wc?uri={uri}', universal: 'https://link.trustwallet.com/wc?uri={uri}' },
    },
  ])
})

test.each([
  ['trust:', 'trust://wc?uri={uri}'],
  ['trust://', 'trust://wc?uri={uri}'],
  ['okx://main', 'okx://main/wc?uri={uri}'],
  ['bybitapp://open/route?targetUrl=by://web3/', 'bybitapp://open/route?targetUrl=by://web3/wc?uri={uri}'],
])('the scheme %s', (native, link) => {
  expect(parse({ ...trust, mobile: { native } })[0]?.relayLinks?.ios).toBe(link)
})

describe('error: leaves out', () => {
  test.each([
    ['an app of the other phone', { ...trust, app: { android: 'https://play.google.com' } }],
    ['a name that is not visible', { ...trust, name: '\u202e \u200b' }],
    ['no links', { ...trust, mobile: { native: '', universal: null } }],
    ['a script', { ...trust, mobile: { native: 'javascript:alert(1)//' } }],
    ['a script with capitals and spaces', { ...trust, mobile: { native: ' JavaScript:alert(1)//' } }],
    ['a script as a web address', { ...trust, mobile: { universal: 'javascript:alert(1)//' } }],
    ['a document', { ...trust, mobile: { native: 'data:text/html,x' } }],
    ['an intent', { ...trust, mobile: { native: 'intent://x#Intent;scheme=x;end' } }],
    ['an address without encryption', { ...trust, mobile: { universal: 'http://link.example' } }],
    ['a second place for the pairing', { ...trust, mobile: { native: 'evil://{uri}/' } }],
    ['a line break', { ...trust, mobile: { native: 'trust://a\nb' } }],
    ['a text', 'trust'],
  ])('%s', (_, entry) => {
    expect(parse(entry)).toEqual([])
  })
})

test('error: an address without an object: no other host is asked', () => {
  expect(() => walletConnectRegistry('https://app.example/wallets' as never)).toThrow('Expected { url }')
})

test('an icon without encryption is not loaded', () => {
  expect(parse({ ...trust, image_url: { sm: 'http://a.example/x.png' } })[0]?.iconUrl).toBe('')
})

test('property: any answer gives apps whose links open no script and pass on the pairing once', () => {
  const text = fc.oneof(
    fc.string(),
    fc.webUrl(),
    fc.constantFrom('javascript:', 'trust:', 'https://a.example', '{uri}'),
  )
  const entry = fc.record({
    name: text,
    image_url: fc.record({ sm: text }),
    app: fc.record({ ios: text, android: text }),
    mobile: fc.record({ native: fc.tuple(text, text).map((parts) => parts.join('')), universal: text }),
  })
  const answer = fc.oneof(
    fc.jsonValue(),
    fc.record({ listings: fc.dictionary(fc.string(), fc.oneof(entry, fc.jsonValue()), { maxKeys: 5 }) }),
  )
  fc.assert(
    fc.property(answer, fc.constantFrom('ios' as const, 'android' as const), (given, platform) => {
      for (const { name, relayLinks } of parseRegistry(given, platform)) {
        expect(name.trim()).not.toBe('')
        const link = findAppLink(relayLinks, uri, { platform, browser: 'chrome' }) ?? ''
        expect(link).toMatch(/^[a-z][\w+.-]*:\/\/\S*wc\?uri=wc%3A\S+$/i)
        expect(link).not.toMatch(/^(javascript|data|vbscript|file|blob|intent):/i)
        expect(link.split(encodeURIComponent(uri))).toHaveLength(2)
      }
    }),
    { numRuns: 200 },
  )
})

describe('the request', () => {
  afterEach(() => vi.unstubAllGlobals())

  const load = (status: number, body: string) => {
    const asked: URL[] = []
    vi.stubGlobal('fetch', async (url: URL) => {
      asked.push(url)
      return new Response(body, { status })
    })
    const registry = walletConnectRegistry({ url: 'https://registry.example/v3/wallets' })
    expect(asked).toEqual([])
    return { asked, apps: registry({ projectId: 'p', chainIds: [56, 1], platform: 'ios' }) }
  }

  test('names the project, the chains and the phone', async () => {
    const { asked, apps } = load(200, JSON.stringify({ listings: { 1: trust } }))
    expect((await apps).map(({ name }) => name)).toEqual(['Trust Wallet'])
    expect(Object.fromEntries(asked[0]?.searchParams ?? [])).toMatchObject({
      ...{ projectId: 'p', chains: 'eip155:56,eip155:1', platforms: 'ios' },
    })
  })

  test('error: the registry refuses', async () => {
    await expect(load(401, '{}').apps).rejects.toThrow('There was an error with the request.')
  })
})
