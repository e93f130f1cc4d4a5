// @vitest-environment node
import type { Browser } from '@playwright/test'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { buildPage } from '../../../test/buildPage.ts'
import { launchBrowser } from '../../../test/launchBrowser.ts'
import { servePage } from '../../../test/servePage.ts'

let browser: Browser
let site: Awaited<ReturnType<typeof servePage>>
beforeAll(async () => {
  const files = await buildPage(`
    import { createRelayStorage } from './src/wallets/relay/relayStorage.ts'
    window.storage = createRelayStorage()
  `)
  ;[browser, site] = await Promise.all([launchBrowser(), servePage(files)])
})
afterAll(() => site?.close())

/** Opens pages of one browser, which share the database. `before` runs on each page first. */
async function openBrowser(before = '') {
  const context = await browser.newContext()
  onTestFinished(() => context.close())
  const errors: unknown[] = []
  context.on('weberror', (error) => errors.push(error.error()))
  onTestFinished(() => expect(errors).toEqual([]))
  const openPage = async (script = before) => {
    const page = await context.newPage()
    await page.addInitScript(script)
    await page.goto(site.url)
    await page.waitForFunction('window.storage')
    const call = (method: string, ...args: unknown[]) =>
      page.evaluate(`storage.${method}(...${JSON.stringify(args)})`) as Promise<unknown>
    return {
      page,
      get: (key: string) => call('getItem', key),
      set: (key: string, value: unknown) => call('setItem', key, value),
      remove: (key: string) => call('removeItem', key),
      keys: () => call('getKeys'),
      entries: () => call('getEntries'),
    }
  }
  return { context, openPage, page: await openPage() }
}

const openDatabase = `
  const openDatabase = (version, upgrade = () => {}) => new Promise((resolve, reject) => {
    const request = indexedDB.open('WALLET_CONNECT_V2_INDEXED_DB', version)
    request.onupgradeneeded = () => upgrade(request.result)
    request.onsuccess = () => resolve(request.result)
    request.onerror = request.onblocked = () => reject(request.error)
  })`
const fail = (prototype: string, method: string, name: string) => `
  const original = ${prototype}.prototype.${method}
  ${prototype}.prototype.${method} = function (...args) {
    if (window.works) return original.apply(this, args)
    throw new DOMException('Connection to Indexed Database server lost. Refresh the page to try again', '${name}')
  }`

describe.each([
  ['works', ''],
  [
    'is forbidden, like localStorage',
    `for (const name of ['indexedDB', 'localStorage'])
      Object.defineProperty(window, name, { get: () => { throw new DOMException('Denied', 'SecurityError') } })`,
  ],
  ['is missing', "Object.defineProperty(window, 'indexedDB', { value: undefined })"],
  ['cannot be opened', fail('IDBFactory', 'open', 'SecurityError')],
  [
    'fails to open',
    `IDBFactory.prototype.open = () => {
      const request = { error: new DOMException('Internal error', 'UnknownError') }
      setTimeout(() => request.onerror())
      return request
    }`,
  ],
  ['never answers', 'IDBFactory.prototype.open = () => ({})'],
  ['starts no transaction', fail('IDBDatabase', 'transaction', 'UnknownError')],
  ['is full', fail('IDBObjectStore', 'put', 'QuotaExceededError')],
])('a database that %s', (_, script) => {
  test('stores every kind of value while the page is open', async () => {
    const { page } = await openBrowser(script)
    expect(await page.get('missing')).toBeUndefined()
    const values = { 'wc@2:core:0.3:p wss://relay//keychain': { a: '1' }, list: [], text: 'did:key:z6', number: 56 }
    for (const [key, value] of Object.entries(values)) await page.set(key, value)
    for (const [key, value] of Object.entries(values)) expect(await page.get(key)).toEqual(value)
    await page.set('list', [{ id: 1 }])
    await page.page.evaluate(`(async () => {
      const circle = {}
      circle.circle = circle
      await storage.setItem('circle', circle)
      await storage.setItem('amount', { value: 7n })
    })()`)
    expect(await page.get('amount')).toEqual({ value: '7n' })
    await page.remove('amount')
    await page.remove('text')
    expect(await page.get('text')).toBeUndefined()
    const entries = [
      ['list', [{ id: 1 }]],
      ['number', 56],
      ['wc@2:core:0.3:p wss:relay:keychain', { a: '1' }],
    ]
    expect(await page.entries()).toEqual(expect.arrayContaining(entries))
    expect(await page.keys()).toHaveLength(3)
  })
})

test('a reload finds the values, also those that the client itself stored before', async () => {
  const { page, openPage } = await openBrowser()
  await page.page.evaluate(`(async () => { ${openDatabase}
    const database = await openDatabase(1, (it) => it.createObjectStore('keyvaluestorage'))
    const transaction = database.transaction('keyvaluestorage', 'readwrite')
    transaction.objectStore('keyvaluestorage').put('[{"topic":"t"}]', 'wc@2:client:0.3:p wss:relay:session')
    await new Promise((resolve) => { transaction.oncomplete = resolve })
    database.close()
  })()`)
  await page.set('number', 56)
  const next = await openPage()
  expect(await next.get('wc@2:client:0.3:p wss://relay//session')).toEqual([{ topic: 't' }])
  expect(await next.get('number')).toBe(56)
})

test('behavior: a database without its store: the store is created', async () => {
  const { page, openPage } = await openBrowser()
  await page.page.evaluate(`(async () => { ${openDatabase}; (await openDatabase()).close() })()`)
  await page.set('a', 1)
  expect(await (await openPage()).get('a')).toBe(1)
})

test('behavior: the connection is lost for a while: what was written meanwhile is stored afterwards', async () => {
  const { page, openPage } = await openBrowser()
  await page.set('a', 1)
  await page.page.evaluate(fail('IDBDatabase', 'transaction', 'InvalidStateError'))
  await page.set('a', 2)
  await page.set('b', 2)
  expect(await page.get('a')).toBe(2)
  await page.page.evaluate('window.works = true')
  await page.set('c', 3)
  const next = await openPage('')
  expect([await next.get('a'), await next.get('b'), await next.get('c')]).toEqual([2, 2, 3])
})

test.each([
  ['upgrades', `${openDatabase}; (await openDatabase(7)).close()`],
  [
    'deletes',
    `await new Promise((resolve, reject) => {
      const request = indexedDB.deleteDatabase('WALLET_CONNECT_V2_INDEXED_DB')
      request.onsuccess = resolve
      request.onblocked = reject
    })`,
  ],
])('behavior: another tab %s the database: it is not blocked, and the page goes on', async (_, change) => {
  const { page, openPage } = await openBrowser()
  await page.set('a', 1)
  const other = await openPage()
  await other.page.evaluate(`(async () => { ${change} })()`)
  await page.set('b', 2)
  expect([await page.get('a'), await page.get('b')]).toEqual([1, 2])
  expect(await (await openPage()).get('b')).toBe(2)
})

test('behavior: two tabs write the same list and the same keys: neither loses what is its own', async () => {
  const { page: one, openPage } = await openBrowser()
  await one.set('session', [{ topic: 'old', expiry: 1 }])
  await one.set('keychain', { old: 'k' })
  const two = await openPage()
  expect(await two.get('session')).toHaveLength(1)
  expect(await two.get('keychain')).toEqual({ old: 'k' })
  await two.set('session', [
    { topic: 'old', expiry: 1 },
    { topic: 'two', expiry: 1 },
  ])
  await two.set('keychain', { old: 'k', two: 'k' })
  await one.set('session', [{ topic: 'one', expiry: 2 }])
  await one.set('keychain', { one: 'k' })
  const three = await openPage()
  expect(await three.get('session')).toEqual([
    { topic: 'two', expiry: 1 },
    { topic: 'one', expiry: 2 },
  ])
  expect(await three.get('keychain')).toEqual({ two: 'k', one: 'k' })
})

test('behavior: the database answers after the time limit: what is stored there is not overwritten', async () => {
  const { page, openPage } = await openBrowser()
  await page.set('session', [{ topic: 'old' }])
  const slow = await openPage(`
    const original = IDBFactory.prototype.open
    IDBFactory.prototype.open = function (...args) {
      const request = {}
      window.answer = () => {
        IDBFactory.prototype.open = original
        const opened = original.apply(this, args)
        opened.onsuccess = () => request.onsuccess(Object.assign(request, { result: opened.result }))
      }
      return request
    }`)
  expect(await slow.get('session')).toBeUndefined()
  await slow.set('session', [{ topic: 'new' }])
  await slow.page.evaluate('window.answer()')
  const stored = async () => (await openPage('')).get('session')
  await expect.poll(stored).toEqual([{ topic: 'old' }, { topic: 'new' }])
})
