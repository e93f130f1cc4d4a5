import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createFakeApi } from '../../test/fakeApi.ts'
import { addressOf } from '../../test/forest.ts'
import { createApi } from './api.ts'

const address = addressOf(1)
const path = `/v1/communities/demo/members/${address}`
const { handle } = createFakeApi()
const answer = (asked: string) => handle(new Request(new URL(asked, window.location.origin)))
const ask = vi.fn<typeof fetch>((asked) => answer(String(asked)))
const never = new Promise<Response>(() => undefined)

beforeEach(() => vi.stubGlobal('fetch', ask))
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
  ask.mockClear()
  delete window.__asked__
})

test('behavior: reuses a request of index.html once, in any address case', async () => {
  window.__asked__ = { [path.toLowerCase()]: { answer: answer(path), abort: () => undefined } }
  const api = createApi()
  expect(await api.member('demo', address)).toMatchObject({ address })
  expect(ask).not.toHaveBeenCalled()
  expect(await api.member('demo', address)).toMatchObject({ address })
  expect(ask).toHaveBeenCalledTimes(1)
})

test('error: a request of index.html also times out after 10 s', async () => {
  vi.useFakeTimers()
  let giveUp: (reason: unknown) => void = () => undefined
  const pending = new Promise<Response>((_, reject) => {
    giveUp = reject
  })
  const abort = vi.fn(() => giveUp(new DOMException('Aborted', 'AbortError')))
  window.__asked__ = { [path.toLowerCase()]: { answer: pending, abort } }
  const outcome = createApi()
    .member('demo', address)
    .catch((error: unknown) => error)
  await vi.advanceTimersByTimeAsync(9_999)
  expect(abort).not.toHaveBeenCalled()
  await vi.advanceTimersByTimeAsync(1)
  expect(abort).toHaveBeenCalled()
  expect(await outcome).toMatchObject({ name: 'ReferralApiError', code: 'unreachable' })
})

test('behavior: an aborted caller leaves the early request to the next one', async () => {
  window.__asked__ = { [path.toLowerCase()]: { answer: never, abort: () => undefined } }
  await createApi()
    .member('demo', address, { signal: AbortSignal.abort() })
    .catch(() => undefined)
  expect(Object.keys(window.__asked__ ?? {})).toEqual([path.toLowerCase()])
})
