import { act } from '@testing-library/react'
import { type ReactNode, useReducer, useSyncExternalStore } from 'react'
import { hydrateRoot } from 'react-dom/client'
import { renderToString } from 'react-dom/server'
import { afterEach, expect, onTestFinished, test, vi } from 'vitest'
import { beginTakeOver, Part, TakenOver, whenIdle, whenWorks } from './takeOver.tsx'

afterEach(() => void vi.useRealTimers())

/** Renders a page as a server does, and lets React take it over. */
async function takeOver(page: ReactNode, fromServer = page) {
  const root = document.createElement('div')
  root.innerHTML = renderToString(fromServer)
  beginTakeOver()
  const hydrated = await act(async () => hydrateRoot(root, page))
  onTestFinished(() => act(() => hydrated.unmount()))
}

test('behavior: without a page of the server, what waits is done at once, unless it was cancelled', async () => {
  const [done, cancelled] = [vi.fn(), vi.fn()]
  whenWorks(done)
  whenWorks(cancelled)()
  await Promise.resolve()
  expect([done.mock.calls.length, cancelled.mock.calls.length]).toEqual([1, 0])
})

test('behavior: what waits is done once each part of the page is taken over', async () => {
  let isLoaded = false
  let finish = () => {}
  const load = new Promise<void>((resolve) => {
    finish = resolve
  })
  const Late = () => {
    if (!isLoaded) throw load
    return <b>late</b>
  }
  const page = (content: ReactNode) => (
    <>
      <Part>
        <Part>{content}</Part>
      </Part>
      <TakenOver />
    </>
  )
  await takeOver(page(<Late />), page(<b>late</b>))
  const done = vi.fn()
  await act(async () => whenWorks(done))
  expect(done).not.toHaveBeenCalled()
  isLoaded = true
  await act(async () => finish())
  await vi.waitFor(() => expect(done).toHaveBeenCalledOnce())
})

test('behavior: a page without parts works once it is taken over', async () => {
  const done = vi.fn()
  await takeOver(<TakenOver />)
  await act(async () => whenWorks(done))
  expect(done).toHaveBeenCalledOnce()
})

test('behavior: a part that never arrives holds up nothing for longer than ten seconds; idle is a second later', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  const Never = () => {
    throw new Promise<void>(() => undefined)
  }
  await takeOver(
    <>
      <Part>
        <Never />
      </Part>
      <TakenOver />
    </>,
    <>
      <Part>
        <b />
      </Part>
      <TakenOver />
    </>,
  )
  const [works, idle, cancelled] = [vi.fn(), vi.fn(), vi.fn()]
  whenWorks(works)
  whenIdle(idle)
  const cancel = whenIdle(cancelled)
  await vi.advanceTimersByTimeAsync(9_999)
  expect(works).not.toHaveBeenCalled()
  await vi.advanceTimersByTimeAsync(1)
  expect([works.mock.calls.length, idle.mock.calls.length]).toEqual([1, 0])
  cancel()
  await vi.advanceTimersByTimeAsync(1_000)
  expect([idle.mock.calls.length, cancelled.mock.calls.length]).toEqual([1, 0])
})

test('behavior: a part that is hidden after it has arrived, and shown again, is not waited for', async () => {
  let isReady = true
  let show = () => {}
  const ready = new Promise<void>((resolve) => {
    show = resolve
  })
  let hide = () => {}
  const Around = () => {
    const [, render] = useReducer((count: number) => count + 1, 0)
    hide = render
    if (!isReady) throw ready
    return null
  }
  let load = () => {}
  const script = new Promise<void>((resolve) => {
    load = resolve
  })
  let isLoaded = true
  const Other = () => {
    if (!isLoaded) throw script
    return null
  }
  const page = (
    <>
      <Part>
        <Around />
        <Part>
          <b />
        </Part>
      </Part>
      <Part key="other">
        <Other />
      </Part>
      <TakenOver />
    </>
  )
  const root = document.createElement('div')
  root.innerHTML = renderToString(page)
  isLoaded = false
  beginTakeOver()
  const hydrated = await act(async () => hydrateRoot(root, page))
  isReady = false
  await act(async () => hide())
  isReady = true
  await act(async () => show())
  const done = vi.fn()
  await act(async () => whenWorks(done))
  expect(done).not.toHaveBeenCalled()
  isLoaded = true
  await act(async () => load())
  await vi.waitFor(() => expect(done).toHaveBeenCalledOnce())
  act(() => hydrated.unmount())
})

test('behavior: a part beside an element that differs from the server’s is taken over without rendering it again', async () => {
  const renders = { element: 0, content: 0 }
  const Element = () => {
    renders.element++
    return useSyncExternalStore(
      () => () => undefined,
      () => 'here',
      () => 'there',
    )
  }
  const Content = () => {
    renders.content++
    return <b />
  }
  const page = (
    <>
      <Element />
      {['a', 'b', 'c'].map((key) => (
        <Part key={key}>
          <Content />
        </Part>
      ))}
      <TakenOver />
    </>
  )
  const root = document.createElement('div')
  root.innerHTML = renderToString(page)
  Object.assign(renders, { element: 0, content: 0 })
  beginTakeOver()
  const hydrated = await act(async () => hydrateRoot(root, page))
  onTestFinished(() => act(() => hydrated.unmount()))
  expect(renders).toEqual({ element: 2, content: 3 })
})
