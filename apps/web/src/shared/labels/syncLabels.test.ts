import type { Address, Label, Problem } from '@lineage/referral-api'
import { createReferralClient } from '@lineage/referral-api'
import { createLabelsClient } from '@lineage/referral-api/account-clients'
import { labelLimit } from '@lineage/referral-api/labels'
import { fireEvent, waitFor } from '@testing-library/react'
import { expect, onTestFinished, test, vi } from 'vitest'
import { addressOf } from '../../../test/forest.ts'
import { readBrowserLabels, storageKey } from './browserLabels.ts'
import { createLabelsStore, type LabelActions } from './labelsStore.ts'
import { type LabelNews, syncLabels } from './syncLabels.ts'

const [alice, bob, a, b] = [1, 2, 3, 4].map(addressOf) as [Address, Address, Address, Address]

/** Creates a server that keeps labels by account, and whose answers a test can choose and hold back. */
function createServer() {
  const kept = new Map<string, Map<string, Label>>()
  const state = {
    account: undefined as Address | undefined,
    problem: undefined as Problem['code'] | 'gone' | undefined,
  }
  let gate = Promise.resolve()
  const asked: string[] = []
  const fetch = async (url: URL | RequestInfo, init?: RequestInit) => {
    const method = init?.method ?? 'GET'
    const [, address] = /labels\/(.+)$/.exec(String(url)) ?? []
    asked.push([method, address].filter(Boolean).join(' '))
    const { account } = state
    await gate
    if (state.problem === 'gone') throw new TypeError('No connection.')
    const code = account ? state.problem : 'unauthenticated'
    if (code)
      return Response.json({ type: 'about:blank', title: code, status: 400, detail: code, code }, { status: 400 })
    const labels = kept.get(account as Address) ?? new Map<string, Label>()
    kept.set(account as Address, labels)
    if (method === 'DELETE') {
      if (address) labels.delete(address)
      else labels.clear()
      return new Response(null, { status: 204 })
    }
    const body = init?.body ? JSON.parse(String(init.body)) : undefined
    if (method === 'PUT' && address) labels.set(address, { ...body, address, updatedAt: 900 })
    for (const item of body?.items ?? []) if (!labels.has(item.address)) labels.set(item.address, item)
    return Response.json(address ? labels.get(address) : { items: [...labels.values()] })
  }
  return {
    kept,
    state,
    asked,
    client: createLabelsClient(createReferralClient({ baseUrl: 'http://labels.invalid/v1', fetch })),
    /** Holds all answers until the returned function is called. */
    hold: () => {
      let release = () => {}
      gate = new Promise((resolve) => {
        release = resolve
      })
      return () => release()
    },
  }
}

function setup(server = createServer(), account?: Address) {
  server.state.account = account
  const store = createLabelsStore()
  const news: LabelNews[] = []
  // Not the success of each save.
  const onNews = (one: LabelNews) => one.kind !== 'saved' && one.kind !== 'removed' && news.push(one)
  const start = (account: Address | undefined) => syncLabels({ store, client: server.client, account, onNews })
  let stop = start(account)
  onTestFinished(() => stop())
  const actions = (): LabelActions => {
    const { actions } = store.getState()
    if (!actions) throw new Error('There are no actions.')
    return actions
  }
  const texts = () => [...store.getState().labels.values()].map(({ text }) => text)
  return {
    store,
    server,
    news,
    texts,
    actions,
    stop: () => stop(),
    save: (...parameters: Parameters<LabelActions['save']>) => actions().save(...parameters),
    signIn: (address: Address | undefined) => {
      server.state.account = address
      stop()
      stop = start(address)
    },
    /** Compares without the order: labels are sorted by the second of their change, and two may fall on two seconds. */
    shows: (...expected: string[]) => waitFor(() => expect(texts().toSorted()).toEqual(expected.toSorted())),
    isReady: () => waitFor(() => expect(store.getState().status).toBe('ready')),
    isOffered: () => waitFor(() => expect(store.getState().dialog.name).toBe('offer')),
  }
}

const text = (value: string) => ({ text: value, watched: false })

test('behavior: a guest’s labels are saved in the browser, cleaned, and deleted when they are empty', async () => {
  const { save, shows, stop, server } = setup()
  await save(a, text(' 老王\u202e '))
  await save(b, { text: '', watched: true })
  await shows('老王', '')
  stop()
  const again = setup()
  await again.shows('老王', '')
  await again.save(b, { text: ' ', watched: false })
  expect([...readBrowserLabels().keys()]).toEqual([a])
  await again.actions().removeAll()
  expect(localStorage.getItem(storageKey)).toBeNull()
  expect(again.news).toEqual([{ kind: 'cleared' }])
  expect([server.asked, again.server.asked]).toEqual([[], []])
})

test.each([
  'null',
  '{',
  '{"a":1}',
  '[1,null,{"address":"0x1"}]',
  JSON.stringify([{ address: a, text: 'x'.repeat(61), watched: false, updatedAt: 1 }]),
  JSON.stringify([{ address: a, text: '', watched: false, updatedAt: 1 }]),
  JSON.stringify([{ address: a, text: 'x', watched: 'yes', updatedAt: 1 }]),
  JSON.stringify([{ address: a, text: 'x', watched: true, updatedAt: -1 }]),
])('error: the browser kept %s', async (stored) => {
  localStorage.setItem(storageKey, stored)
  const { isReady, texts } = setup()
  await isReady()
  expect(texts()).toEqual([])
})

test('error: localStorage throws: nothing changes, and the failure is reported', async () => {
  const { save, shows, news } = setup()
  const { setItem } = Storage.prototype
  Storage.prototype.setItem = () => {
    throw new DOMException('full', 'QuotaExceededError')
  }
  try {
    await save(a, text('x'))
  } finally {
    Storage.prototype.setItem = setItem
  }
  await shows()
  expect(news).toEqual([{ kind: 'failed', failure: 'storage' }])
})

test('error: more than the limit in the browser', async () => {
  const many = Array.from({ length: labelLimit }, (_, index) => ({
    address: addressOf(index + 10),
    text: 'x',
    watched: false,
    updatedAt: 1,
  }))
  localStorage.setItem(storageKey, JSON.stringify(many))
  const { save, isReady, news, store } = setup()
  await isReady()
  await save(a, text('x'))
  await waitFor(() => expect(store.getState().labels.size).toBe(labelLimit))
  expect(news).toEqual([{ kind: 'failed', failure: 'limit' }])
})

test('behavior: a guest’s tabs show each other’s labels, and neither overwrites the other’s', async () => {
  const [one, two] = [setup(), setup()]
  await one.save(a, text('of one'))
  // Browsers fire `storage` in the other tabs; `two` has not received it yet.
  await two.save(b, text('of two'))
  window.dispatchEvent(new StorageEvent('storage', { key: storageKey }))
  await one.shows('of one', 'of two')
  await two.shows('of one', 'of two')
})

test('behavior: an account’s label is shown at once, and saved', async () => {
  const { save, actions, shows, isReady, server } = setup(undefined, alice)
  await isReady()
  const release = server.hold()
  const saving = save(a, text('老王'))
  await shows('老王')
  expect(server.kept.get(alice)?.get(a)).toBeUndefined()
  release()
  await saving
  await shows('老王')
  expect(server.kept.get(alice)?.get(a)?.text).toBe('老王')
  expect(JSON.stringify(localStorage)).not.toContain('老王')
  await actions().removeAll()
  await shows()
  expect(server.kept.get(alice)?.size).toBe(0)
})

test.each([
  ['too_many_labels', 'limit'],
  ['unauthenticated', 'signedOut'],
  ['rate_limited', 'busy'],
  ['unavailable', 'unreachable'],
  ['gone', 'unreachable'],
  ['invalid_label', 'failed'],
] as const)('error: %s: the former label is shown again, and the failure is reported', async (problem, failure) => {
  const { save, actions, shows, isReady, server, news } = setup(undefined, alice)
  await isReady()
  await save(a, text('before'))
  const release = server.hold()
  server.state.problem = problem
  const saving = save(a, text('after'))
  await shows('after')
  release()
  await saving
  await shows('before')
  expect(news).toEqual([{ kind: 'failed', failure }])
  await actions().removeAll()
  await shows('before')
})

test('behavior: two changes at once: the later one is shown, and saved last', async () => {
  const { save, shows, isReady, server } = setup(undefined, alice)
  await isReady()
  const release = server.hold()
  const saving = [save(a, text('first')), save(a, text('second'))]
  await shows('second')
  // The second waits for the first.
  await waitFor(() => expect(server.asked).toEqual(['GET', `PUT ${a}`]))
  release()
  await Promise.all(saving)
  await shows('second')
  expect(server.kept.get(alice)?.get(a)?.text).toBe('second')
})

test('behavior: a list requested before a label was saved does not replace it', async () => {
  const { save, actions, shows, isReady, server } = setup(undefined, alice)
  await isReady()
  const release = server.hold()
  void actions().reload()
  const saving = save(a, text('new'))
  await shows('new')
  release()
  await saving
  await waitFor(() => expect(server.asked).toEqual(['GET', 'GET', `PUT ${a}`, 'GET']))
  await shows('new')
})

test('behavior: signing out removes the account’s labels at once, and drops late answers and queued changes', async () => {
  const { save, actions, texts, shows, isReady, server, signIn, store, news } = setup(undefined, alice)
  await isReady()
  await save(a, text('secret'))
  await shows('secret')
  const release = server.hold()
  const saving = [save(b, text('also secret')), save(bob, text('queued'))]
  await waitFor(() => expect(server.asked.at(-1)).toBe(`PUT ${b}`))
  actions().openDialog({ name: 'edit', address: a })
  signIn(undefined)
  expect([texts(), store.getState().place, store.getState().dialog]).toEqual([[], 'browser', { name: 'closed' }])
  signIn(bob)
  release()
  await Promise.all(saving)
  await isReady()
  expect([texts(), news]).toEqual([[], []])
  expect(server.asked).not.toContain(`PUT ${bob}`)
  expect(server.kept.get(bob)?.size).toBe(0)
})

test('behavior: at sign-in the guest’s labels are moved only after consent', async () => {
  const { save, actions, texts, shows, isOffered, server, signIn, store, news } = setup()
  await save(a, text('mine'))
  signIn(alice)
  await isOffered()
  expect([texts(), store.getState().unmoved, server.asked]).toEqual([[], 1, ['GET']])
  await actions().moveToAccount()
  await shows('mine')
  expect([readBrowserLabels().size, news]).toEqual([0, [{ kind: 'moved' }]])
  signIn(undefined)
  expect(texts()).toEqual([])
})

test('behavior: a declined offer is not repeated until a label changes', async () => {
  const first = setup()
  await first.save(a, text('mine'))
  first.signIn(alice)
  await first.isOffered()
  first.actions().declineMove()
  first.stop()
  const again = setup(first.server, alice)
  await again.isReady()
  await waitFor(() => expect(again.store.getState().unmoved).toBe(1))
  expect(again.store.getState().dialog.name).toBe('closed')
  again.signIn(undefined)
  await again.shows('mine')
  await again.save(b, text('more'))
  again.signIn(alice)
  await again.isOffered()
})

test('error: a move that fails leaves the labels in the browser', async () => {
  const { save, actions, server, signIn, isOffered, news } = setup()
  await save(a, text('mine'))
  signIn(alice)
  await isOffered()
  server.state.problem = 'unavailable'
  await actions().moveToAccount()
  expect([readBrowserLabels().size, news]).toEqual([1, [{ kind: 'failed', failure: 'unreachable' }]])
})

test('error: labels that do not load can be loaded again', async () => {
  const server = createServer()
  server.state.problem = 'unavailable'
  const { actions, store, isReady } = setup(server, alice)
  await waitFor(() => expect(store.getState().status).toBe('failed'))
  server.state.problem = undefined
  await actions().reload()
  await isReady()
})

test('error: a reload that fails is reported, and the labels stay', async () => {
  const { save, actions, server, store, isReady, shows } = setup(undefined, alice)
  await isReady()
  await save(a, text('mine'))
  server.state.problem = 'unavailable'
  await actions().reload()
  await waitFor(() => expect(store.getState().status).toBe('failed'))
  await shows('mine')
  server.state.problem = undefined
  await actions().reload()
  await isReady()
})

test('behavior: the account’s other tabs show a change', async () => {
  const server = createServer()
  const [one, two] = [setup(server, alice), setup(server, alice)]
  await Promise.all([one.isReady(), two.isReady()])
  await one.save(a, text('new'))
  await two.shows('new')
})

test('behavior: the list is reloaded when the reader returns to the tab after 30 s', async () => {
  const { shows, isReady, server } = setup(undefined, alice)
  await isReady()
  const returnToTab = () => void fireEvent(document, new Event('visibilitychange', { bubbles: true }))
  returnToTab()
  expect(server.asked).toEqual(['GET'])
  server.kept.get(alice)?.set(a, { address: a, ...text('of the phone'), updatedAt: 1 })
  const now = Date.now()
  vi.spyOn(Date, 'now').mockReturnValue(now + 31_000)
  onTestFinished(() => void vi.restoreAllMocks())
  returnToTab()
  await shows('of the phone')
})
