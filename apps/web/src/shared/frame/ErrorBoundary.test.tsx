import { act, render, screen } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createI18n, I18nProvider } from '../../lib/i18n.ts'
import { createNotices, NoticesContext, takeNotices } from '../../lib/notices.ts'
import { AnswerBoundary } from '../lookup/AnswerBoundary.tsx'
import { LazyBoundary } from './ErrorBoundary.tsx'
import { lazyWithPreload } from './lazyWithPreload.tsx'

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

/** Creates a lazy component whose script fails to load the first `failures` times. */
function createPart(failures: number) {
  const load = vi.fn(async () => {
    if (load.mock.calls.length <= failures) throw new TypeError('Failed to fetch dynamically imported module')
    return { default: () => <p>Loaded</p> }
  })
  return { load, Part: lazyWithPreload(load) }
}

async function show(children: React.ReactNode) {
  vi.spyOn(console, 'error').mockImplementation(() => {})
  const notices = createNotices()
  const i18n = await createI18n('en')
  const view = await act(async () =>
    render(
      <I18nProvider i18n={i18n}>
        <NoticesContext value={notices}>{children}</NoticesContext>
      </I18nProvider>,
    ),
  )
  await secondTry()
  return { ...view, notices }
}

/** Passes the time until a lost script is loaded again. */
const secondTry = () => act(() => vi.advanceTimersByTimeAsync(1_000))

async function goOnline() {
  await act(async () => window.dispatchEvent(new Event('online')))
  await secondTry()
}

test('behavior: a script that a weak connection lost once is loaded again after a second', async () => {
  const { load, Part } = createPart(1)
  await show(
    <LazyBoundary>
      <Part />
    </LazyBoundary>,
  )
  expect(screen.getByText('Loaded')).toBeTruthy()
  expect(load).toHaveBeenCalledTimes(2)
})

test('behavior: a part that failed to load is loaded again when the browser is online', async () => {
  const { load, Part } = createPart(4)
  await show(
    <LazyBoundary>
      <Part />
    </LazyBoundary>,
  )
  await goOnline()
  expect(load).toHaveBeenCalledTimes(4)
  expect(screen.queryByText('Loaded')).toBeNull()
  await goOnline()
  expect(screen.getByText('Loaded')).toBeTruthy()
})

test('behavior: an answer that failed to load offers to reload the page, and shows when the browser is online', async () => {
  const { Part } = createPart(2)
  await show(
    <AnswerBoundary skeleton={null}>
      <Part />
    </AnswerBoundary>,
  )
  expect(screen.getByRole('button', { name: 'Reload' })).toBeTruthy()
  await goOnline()
  expect(screen.getByText('Loaded')).toBeTruthy()
})

test('behavior: offline, an answer that failed to load says that it waits for the network, without a button', async () => {
  vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false)
  const { Part } = createPart(2)
  await show(
    <AnswerBoundary skeleton={null}>
      <Part />
    </AnswerBoundary>,
  )
  expect(screen.getByText('This continues when you are back online.')).toBeTruthy()
  expect(screen.queryByRole('button')).toBeNull()
  vi.restoreAllMocks()
  await goOnline()
  expect(screen.getByText('Loaded')).toBeTruthy()
})

test('behavior: a part that the person opened closes with a notice when it fails, and opens at the next try', async () => {
  const { Part } = createPart(2)
  const close = vi.fn()
  const { notices, unmount } = await show(
    <LazyBoundary onError={close}>
      <Part />
    </LazyBoundary>,
  )
  expect(close).toHaveBeenCalledOnce()
  // After an update of the server the script is gone, and no further try helps.
  const text = expect.stringMatching(/could not be loaded.*try again, or reload the page/)
  expect(takeNotices(notices)).toMatchObject([{ tone: 'error', text }])
  unmount()
  await show(
    <LazyBoundary onError={close}>
      <Part />
    </LazyBoundary>,
  )
  expect(screen.getByText('Loaded')).toBeTruthy()
  expect(close).toHaveBeenCalledOnce()
})
