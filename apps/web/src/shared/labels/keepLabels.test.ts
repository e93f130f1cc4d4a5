import type { Address, Label, Problem } from '@lineage/referral-api'
import { createReferralClient } from '@lineage/referral-api'
import { labelLimit } from '@lineage/referral-api/labels'
import { createLabelsClient } from '@lineage/referral-api/labels-client'
import { waitFor } from '@testing-library/react'
import { afterEach, expect, test } from 'vitest'
import { createStore } from 'zustand/vanilla'
import { addressOf } from '../../../test/forest.ts'
import { readBrowserLabels, storageKey } from './browserLabels.ts'
import { keepLabels, type LabelNews } from './keepLabels.ts'
import { createLabels } from './labels.ts'

const [alice, bob, a, b] = [1, 2, 3, 4].map(addressOf) as [Address, Address, Address, Address]

const open: (() => void)[] = []
afterEach(() => {
  for (const stop of open.splice(0)) stop()
})

/** A server that keeps labels by account, says what it is told to say, and holds answers back until it is let go. */
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
    /** Nothing is answered until the answer is called. */
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
  const signedIn = createStore<{ account: Address | undefined }>(() => ({ account }))
  server.state.account = account
  const store = createLabels()
  const news: LabelNews[] = []
  const stop = keepLabels({
    store,
    client: server.client,
    account: { get: () => signedIn.getState().account, subscribe: signedIn.subscribe },
    onNews: (one) => news.push(one),
  })
  open.push(stop)
  const { actions } = store.getState()
  if (!actions) throw new Error('There are no actions.')
  return {
    store,
    server,
    news,
    actions,
    stop,
    signIn: (address: Address | undefined) => {
      server.state.account = address
      signedIn.setState({ account: address })
    },
    texts: () => [...store.getState().shown.values()].map(({ text }) => text),
    isReady: () => waitFor(() => expect(store.getState().status).toBe('ready')),
  }
}

const text = (value: string) => ({ text: value, watched: false })

test('behavior: a guest’s labels are kept in the browser, cleaned, and gone when they say nothing', async () => {
  const { actions, texts, stop, server } = setup()
  await actions.save(a, text(' 老王\u202e '))
  await actions.save(b, { text: '', watched: true })
  expect(texts()).toEqual(['老王', ''])
  stop()
  expect(setup().texts()).toEqual(['老王', ''])
  await actions.save(b, { text: ' ', watched: false })
  expect([...readBrowserLabels().keys()]).toEqual([a])
  await actions.removeAll()
  expect(localStorage.getItem(storageKey)).toBeNull()
  expect(server.asked).toEqual([])
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
])('error: the browser kept %s', (stored) => {
  localStorage.setItem(storageKey, stored)
  expect(setup().texts()).toEqual([])
})

test('error: a browser that keeps nothing: nothing changes, and it is said', async () => {
  const { actions, texts, news } = setup()
  const { setItem } = Storage.prototype
  Storage.prototype.setItem = () => {
    throw new DOMException('full', 'QuotaExceededError')
  }
  try {
    await actions.save(a, text('x'))
  } finally {
    Storage.prototype.setItem = setItem
  }
  expect([texts(), news]).toEqual([[], [{ kind: 'failed', failure: 'storage' }]])
})

test('error: more than the limit in the browser', async () => {
  const many = Array.from({ length: labelLimit }, (_, index) => ({
    address: addressOf(index + 10),
    text: 'x',
    watched: false,
    updatedAt: 1,
  }))
  localStorage.setItem(storageKey, JSON.stringify(many))
  const { actions, news, store } = setup()
  await actions.save(a, text('x'))
  expect([store.getState().shown.size, news]).toEqual([labelLimit, [{ kind: 'failed', failure: 'limit' }]])
})

test('behavior: another tab’s label is shown, and neither overwrites the other’s', async () => {
  const [one, two] = [setup(), setup()]
  await one.actions.save(a, text('of one'))
  // Browsers tell the other tabs; `two` has not heard yet.
  await two.actions.save(b, text('of two'))
  window.dispatchEvent(new StorageEvent('storage', { key: storageKey }))
  expect([one.texts().sort(), two.texts().sort()]).toEqual([
    ['of one', 'of two'],
    ['of one', 'of two'],
  ])
})

test('behavior: an account’s label is shown at once, and kept', async () => {
  const { actions, texts, isReady, server } = setup(undefined, alice)
  await isReady()
  const release = server.hold()
  const saving = actions.save(a, text('老王'))
  expect(texts()).toEqual(['老王'])
  release()
  await saving
  expect([texts(), server.kept.get(alice)?.get(a)?.text]).toEqual([['老王'], '老王'])
  // Nothing of it is in the browser.
  expect(JSON.stringify(localStorage)).not.toContain('老王')
  await actions.removeAll()
  expect([texts(), server.kept.get(alice)?.size]).toEqual([[], 0])
})

test.each([
  ['too_many_labels', 'limit'],
  ['unauthenticated', 'signedOut'],
  ['rate_limited', 'busy'],
  ['unavailable', 'unreachable'],
  ['gone', 'unreachable'],
  ['invalid_label', 'failed'],
] as const)('error: %s: what was shown before is shown again, and it is said', async (problem, failure) => {
  const { actions, texts, isReady, server, news } = setup(undefined, alice)
  await isReady()
  await actions.save(a, text('before'))
  server.state.problem = problem
  const saving = actions.save(a, text('after'))
  expect(texts()).toEqual(['after'])
  await saving
  expect([texts(), news]).toEqual([['before'], [{ kind: 'failed', failure }]])
  await actions.removeAll()
  expect(texts()).toEqual(['before'])
})

test('behavior: of two changes in flight the later one is shown, whatever became of the first', async () => {
  const { actions, texts, isReady, server } = setup(undefined, alice)
  await isReady()
  const release = server.hold()
  const saving = [actions.save(a, text('first')), actions.save(a, text('second'))]
  expect(texts()).toEqual(['second'])
  release()
  await Promise.all(saving)
  expect([texts(), server.kept.get(alice)?.get(a)?.text]).toEqual([['second'], 'second'])
})

test('behavior: signed out, the account’s labels leave at once; a late answer brings none back', async () => {
  const { actions, texts, isReady, server, signIn, store, news } = setup(undefined, alice)
  await isReady()
  await actions.save(a, text('secret'))
  const release = server.hold()
  const saving = actions.save(b, text('also secret'))
  actions.ask({ name: 'edit', address: a })
  signIn(undefined)
  expect([texts(), store.getState().place, store.getState().task]).toEqual([[], 'browser', { name: 'none' }])
  signIn(bob)
  release()
  await saving
  await isReady()
  expect([texts(), news]).toEqual([[], []])
})

test('behavior: what the browser keeps is offered at sign-in, and moved only after a yes', async () => {
  const { actions, texts, server, signIn, store, news } = setup()
  await actions.save(a, text('mine'))
  signIn(alice)
  await waitFor(() => expect(store.getState().task.name).toBe('offer'))
  expect([texts(), store.getState().waiting, server.asked]).toEqual([[], 1, ['GET']])
  await actions.move()
  expect([texts(), readBrowserLabels().size, news]).toEqual([['mine'], 0, [{ kind: 'moved' }]])
  signIn(undefined)
  expect(texts()).toEqual([])
})

test('behavior: declined, the offer is not made again until something changes', async () => {
  const first = setup()
  await first.actions.save(a, text('mine'))
  first.signIn(alice)
  await waitFor(() => expect(first.store.getState().task.name).toBe('offer'))
  first.actions.leave()
  first.stop()
  const again = setup(first.server, alice)
  await again.isReady()
  expect([again.store.getState().task.name, again.store.getState().waiting]).toEqual(['none', 1])
  again.signIn(undefined)
  expect(again.texts()).toEqual(['mine'])
  await again.actions.save(b, text('more'))
  again.signIn(alice)
  await waitFor(() => expect(again.store.getState().task.name).toBe('offer'))
})

test('error: a move that fails leaves everything in the browser', async () => {
  const { actions, server, signIn, store, news } = setup()
  await actions.save(a, text('mine'))
  signIn(alice)
  await waitFor(() => expect(store.getState().task.name).toBe('offer'))
  server.state.problem = 'unavailable'
  await actions.move()
  expect([readBrowserLabels().size, news]).toEqual([1, [{ kind: 'failed', failure: 'unreachable' }]])
})

test('error: labels that do not load can be asked for again', async () => {
  const server = createServer()
  server.state.problem = 'unavailable'
  const { actions, store, isReady } = setup(server, alice)
  await waitFor(() => expect(store.getState().status).toBe('failed'))
  server.state.problem = undefined
  await actions.reload()
  await isReady()
})

test('behavior: the account’s other tabs hear of a change', async () => {
  const server = createServer()
  const [one, two] = [setup(server, alice), setup(server, alice)]
  await Promise.all([one.isReady(), two.isReady()])
  await one.actions.save(a, text('new'))
  await waitFor(() => expect(two.texts()).toEqual(['new']))
})
