// @vitest-environment node
import { readdirSync, readFileSync } from 'node:fs'
import { createElement } from 'react'
import { renderToString } from 'react-dom/server'
import { custom } from 'viem'
import { bsc } from 'viem/chains'
import { expect, onTestFinished, test, vi } from 'vitest'

const typesOf = (entry: string) => readFileSync(new URL(`../../test/api/${entry}.txt`, import.meta.url), 'utf8')

const entries = readdirSync(new URL('../../test/api', import.meta.url)).map((file) => file.replace('.txt', ''))

// Runs in Node, where an entry that uses `window` during import fails.
test.each(entries)('a server can import %s, whose names are in the snapshot of its types', async (entry) => {
  expect(typeof window).toBe('undefined')
  const types = typesOf(entry)
  const missing = Object.keys(await import(`./${entry}.ts`)).filter((name) => !types.includes(`// ${name}\n`))
  expect(missing, 'Write them: pnpm build, then pnpm -F @lineage/wallet-kit test:package -u').toEqual([])
})

test('no name of the main entry is one of wagmi’s', async () => {
  const ofWagmi = Object.keys(await import('wagmi'))
  expect(ofWagmi).toContain('useConnection')
  expect(Object.keys(await import('./index.ts')).filter((name) => ofWagmi.includes(name))).toEqual([])
})

test.each(['index', 'hooks'])('every hook of %s has exported types for what it takes and returns', (entry) => {
  const types = typesOf(entry)
  const hooks = [...types.matchAll(/^declare function use(\w+)[^(]*\((.*)\): (.*);$/gm)]
  expect(hooks.length).toBeGreaterThan(8)
  for (const [, name = '', taken = '', returned] of hooks) {
    const names = [
      ...(taken.includes('{') ? [`Use${name}Parameters`] : []),
      // `useWalletKitState` returns the type that its selector returns.
      ...(returned === 'void' || name === 'WalletKitState' ? [] : [`Use${name}ReturnType`]),
    ]
    for (const type of names) expect(types, type).toContain(`// ${type}\n`)
    for (const type of names) expect(`${taken} ${returned}`, type).toContain(type)
  }
})

test('a window with event classes of its own, as `global-jsdom` sets up for node:test: a wallet is found', async () => {
  // @ts-expect-error It has no types.
  const { JSDOM } = await import('jsdom')
  const { window } = new JSDOM('', { url: 'https://app.example' })
  vi.stubGlobal('window', window)
  vi.stubGlobal('document', window.document)
  vi.stubGlobal('navigator', window.navigator)
  onTestFinished(() => void vi.unstubAllGlobals())
  const [{ createWalletKit }, { announceWallet, createScriptedWallet }] = await Promise.all([
    import('./core.ts'),
    import('./testing.ts'),
  ])
  onTestFinished(announceWallet({ info: { name: 'A', rdns: 'test.a' }, provider: createScriptedWallet().provider }))
  const transports = { [bsc.id]: custom({ request: async () => null }) }
  const kit = createWalletKit({ appName: 'Test', chains: [bsc], transports, wallets: 'announced' })
  onTestFinished(kit.destroy)
  expect(kit.getState().wallets.map(({ id }) => id)).toEqual(['test.a'])
})

test('a `window` without a document, as in React Native and after polyfills on a server: works as on a server', async () => {
  vi.stubGlobal('window', globalThis)
  onTestFinished(() => void vi.unstubAllGlobals())
  const [{ createWalletKit }, { ConnectButton, WalletKitProvider }, { defaultWallets }] = await Promise.all([
    import('./core.ts'),
    import('./index.ts'),
    import('./wallets.ts'),
  ])
  const transports = { [bsc.id]: custom({ request: async () => null }) }
  const kit = createWalletKit({ appName: 'Test', chains: [bsc], transports, wallets: defaultWallets() })
  onTestFinished(kit.destroy)
  expect(await kit.reconnect()).toBeUndefined()
  const html = renderToString(createElement(WalletKitProvider, { kit }, createElement(ConnectButton)))
  expect(html).toContain('Connect Wallet')
  expect(html).not.toContain('&gt;')
})
