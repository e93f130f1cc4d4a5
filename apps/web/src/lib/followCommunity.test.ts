import { InfiniteQueryObserver, QueryObserver } from '@tanstack/react-query'
import { afterEach, expect, onTestFinished, test, vi } from 'vitest'
import { createQueryClient } from './api.ts'
import { followCommunity, type LiveTimes, liveCommunities } from './followCommunity.ts'

/** The part of the browser's EventSource that the page uses, which jsdom lacks. */
class Source extends EventTarget {
  static readonly CLOSED = 2
  readyState = 1
  constructor() {
    super()
    opened.push(this)
  }
  close() {
    this.readyState = Source.CLOSED
  }
  say(name: string, data?: object) {
    this.dispatchEvent(new MessageEvent(name, { data: JSON.stringify(data) }))
  }
}
let opened: Source[] = []
afterEach(() => {
  opened = []
  vi.unstubAllGlobals()
})

const patient: LiveTimes = { first: 60_000, silence: 60_000, again: 60_000, apart: 60_000, behind: 60_000, spread: 0 }

/** Follows a community whose page has one lookup and one long list. */
function follow(times: Partial<LiveTimes> = {}, answer: (count: number) => unknown = (count) => count) {
  vi.stubGlobal('EventSource', Source)
  const queryClient = createQueryClient()
  const asked = { member: 0, list: 0 }
  let alerts = 0
  const observe = (name: 'member' | 'list', options: object) => {
    const queryFn = async () => answer(++asked[name])
    onTestFinished(
      new QueryObserver(queryClient, { queryKey: ['demo', name], queryFn, ...options }).subscribe(() => {}),
    )
  }
  const bell = new QueryObserver(queryClient, { queryKey: ['alerts', '0x1'], queryFn: async () => ++alerts })
  onTestFinished(bell.subscribe(() => {}))
  observe('member', {})
  observe('list', { refetchInterval: () => false as const })
  const blocks: number[] = []
  const stop = followCommunity({
    queryClient,
    url: '/live',
    community: 'demo',
    onBlock: (block) => blocks.push(block),
    times: { ...patient, ...times },
  })
  onTestFinished(stop)
  const isLive = (key = 'demo') => liveCommunities(queryClient)?.has(key)
  return { queryClient, asked, alerts: () => alerts, blocks, stop, isLive }
}

function setVisibility(state: 'visible' | 'hidden') {
  vi.spyOn(document, 'visibilityState', 'get').mockReturnValue(state)
  document.dispatchEvent(new Event('visibilitychange'))
}

test('behavior: a change reloads lookups at once, but not the pages of a long list', async () => {
  const { asked, isLive } = follow()
  await expect.poll(() => asked).toEqual({ member: 1, list: 1 })
  opened[0]?.say('change')
  expect(isLive()).toBe(true)
  expect(asked.member).toBe(1)
  opened[0]?.say('change')
  await expect.poll(() => asked).toEqual({ member: 2, list: 1 })
})

test('behavior: a change does not cancel the next page of a list that reloads, which is on its way', async () => {
  const { queryClient, asked } = follow({ apart: 0 })
  let send = (_: string) => {}
  const pages = new InfiniteQueryObserver(queryClient, {
    queryKey: ['demo', 'levels'],
    queryFn: ({ pageParam }) => (pageParam === 1 ? 'first' : new Promise<string>((resolve) => (send = resolve))),
    initialPageParam: 1,
    getNextPageParam: (_, __, last) => last + 1,
  })
  onTestFinished(pages.subscribe(() => {}))
  await expect.poll(() => pages.getCurrentResult().data?.pages).toEqual(['first'])
  const next = pages.fetchNextPage()
  opened[0]?.say('change')
  opened[0]?.say('change')
  await expect.poll(() => asked.member).toBe(2)
  send('second')
  expect((await next).data?.pages).toEqual(['first', 'second'])
})

test('behavior: many changes at once cause one reload', async () => {
  const { asked } = follow({ apart: 50 })
  await expect.poll(() => asked.member).toBe(1)
  for (let count = 0; count < 20; count++) opened[0]?.say('change')
  await expect.poll(() => asked.member).toBe(2)
  for (let count = 0; count < 20; count++) opened[0]?.say('change')
  expect(asked.member).toBe(2)
  await expect.poll(() => asked.member).toBe(3)
})

test('behavior: an answer that is older than the change is requested once more, a current one is not', async () => {
  let block = 5
  const { asked } = follow({ apart: 0, behind: 20 }, () => ({ asOf: { block } }))
  await expect.poll(() => asked.member).toBe(1)
  opened[0]?.say('change', { asOf: { block: 5 } })
  opened[0]?.say('change', { asOf: { block: 6 } })
  await expect.poll(() => asked.member).toBe(3)
  block = 7
  opened[0]?.say('change', { asOf: { block: 7 } })
  await expect.poll(() => asked.member).toBe(4)
  opened[0]?.say('change', { asOf: { block: 'seven' } })
  await expect.poll(() => asked.member).toBe(5)
})

test('behavior: after a reconnect the page reloads if its answers are older, and each block is told', async () => {
  const { asked, blocks } = follow({ apart: 0 }, () => ({ asOf: { block: 5 } }))
  await expect.poll(() => asked.member).toBe(1)
  opened[0]?.say('change', { asOf: { block: 5 } })
  opened[0]?.say('beat', { asOf: { block: 6 } })
  expect(asked.member).toBe(1)
  setVisibility('hidden')
  setVisibility('visible')
  // Closing the stream reloads once, too.
  await expect.poll(() => asked.member).toBe(2)
  opened[1]?.say('change', { asOf: { block: 9 } })
  await expect.poll(() => asked.member).toBe(3)
  expect(blocks).toEqual([5, 6, 9])
  vi.restoreAllMocks()
})

test('error: on a silent stream, queries refresh at their normal rate, and the stream is opened again', async () => {
  const { isLive, asked } = follow({ first: 20, silence: 20, again: 20 })
  await expect.poll(() => opened.length).toBeGreaterThan(1)
  expect(opened[0]?.readyState).toBe(Source.CLOSED)
  opened.at(-1)?.say('beat')
  expect(isLive()).toBe(true)
  const before = asked.member
  await expect.poll(() => isLive()).toBe(false)
  await expect.poll(() => asked.member).toBeGreaterThan(before)
})

test('error: a refused stream is opened again', async () => {
  follow({ again: 20 })
  opened[0]?.close()
  opened[0]?.say('error')
  await expect.poll(() => opened.length).toBe(2)
})

test('behavior: closes the stream of a hidden page, and opens it again when the page is shown', () => {
  const { isLive } = follow()
  opened[0]?.say('beat')
  setVisibility('hidden')
  expect([opened[0]?.readyState, isLive()]).toEqual([Source.CLOSED, false])
  setVisibility('visible')
  expect(opened.map(({ readyState }) => readyState)).toEqual([Source.CLOSED, 1])
  vi.restoreAllMocks()
})

test('behavior: an alerts event reloads the alerts at once; without the stream they are polled again', async () => {
  const { asked, alerts, stop, isLive } = follow()
  await expect.poll(alerts).toBe(1)
  opened[0]?.say('alerts')
  await expect.poll(alerts).toBe(2)
  expect([isLive('alerts'), asked.member]).toEqual([true, 1])
  stop()
  await expect.poll(alerts).toBe(3)
  expect(isLive('alerts')).toBe(false)
})
