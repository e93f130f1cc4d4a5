import { act } from '@testing-library/react'
import { type ReactNode, useState, useSyncExternalStore } from 'react'
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

/** Creates a component that suspends until `open` is called. */
function createGate() {
  let isOpen = false
  let resolve = () => {}
  const opened = new Promise<void>((done) => {
    resolve = done
  })
  const Gate = () => {
    if (!isOpen) throw opened
    return null
  }
  const open = () => {
    isOpen = true
    return act(async () => resolve())
  }
  return { Gate, open }
}

test('behavior: without a page of the server, what waits is done at once, unless it was cancelled', async () => {
  const [done, cancelled] = [vi.fn(), vi.fn()]
  whenWorks(done)
  whenWorks(cancelled)()
  await Promise.resolve()
  expect([done.mock.calls.length, cancelled.mock.calls.length]).toEqual([1, 0])
})

test('behavior: what waits is done once each part of the page is taken over', async () => {
  const { Gate, open } = createGate()
  const page = (content: ReactNode) => (
    <>
      <Part>
        <Part>{content}</Part>
      </Part>
      <TakenOver />
    </>
  )
  await takeOver(page(<Gate />), page(null))
  const done = vi.fn()
  await act(async () => whenWorks(done))
  expect(done).not.toHaveBeenCalled()
  await open()
  await expect.poll(() => done).toHaveBeenCalledOnce()
})

test('behavior: a page without parts works once it is taken over', async () => {
  const done = vi.fn()
  await takeOver(<TakenOver />)
  await act(async () => whenWorks(done))
  expect(done).toHaveBeenCalledOnce()
})

test('behavior: a part that never arrives holds up nothing for longer than ten seconds; idle is a second later', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  const { Gate } = createGate()
  const page = (content: ReactNode) => (
    <>
      <Part>{content}</Part>
      <TakenOver />
    </>
  )
  await takeOver(page(<Gate />), page(null))
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
  const [hidden, other] = [createGate(), createGate()]
  let hide = () => {}
  const Around = () => {
    const [isHidden, setIsHidden] = useState(false)
    hide = () => setIsHidden(true)
    return isHidden && <hidden.Gate />
  }
  const page = (content: ReactNode) => (
    <>
      <Part>
        <Around />
        <Part>
          <b />
        </Part>
      </Part>
      <Part>{content}</Part>
      <TakenOver />
    </>
  )
  await takeOver(page(<other.Gate />), page(null))
  await act(async () => hide())
  await hidden.open()
  const done = vi.fn()
  await act(async () => whenWorks(done))
  expect(done).not.toHaveBeenCalled()
  await other.open()
  await expect.poll(() => done).toHaveBeenCalledOnce()
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
  await takeOver(
    <>
      <Element />
      {['a', 'b', 'c'].map((key) => (
        <Part key={key}>
          <Content />
        </Part>
      ))}
      <TakenOver />
    </>,
  )
  // Once on the server; in the browser once more for the element's own text.
  expect(renders).toEqual({ element: 1 + 2, content: 3 + 3 })
})
