import { act, render } from '@testing-library/react'
import type { ReactNode } from 'react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { announced } from '../../../test/renderApp.tsx'
import { Announced, Announcer, useAnnouncedLoading } from './Announcer.tsx'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

const Waiting = () => {
  useAnnouncedLoading('Loading')
  return null
}
const page = (children?: ReactNode) => (
  <>
    <Announcer />
    {children}
  </>
)

test('a text is announced when it appears and when it changes, and leaves the page afterwards', () => {
  const { rerender } = render(page())
  rerender(page(<Announced>one</Announced>))
  rerender(page(<Announced>one</Announced>))
  rerender(page(<Announced>two</Announced>))
  rerender(page(<Announced>{undefined}</Announced>))
  expect(announced()).toEqual(['one', 'two'])
  act(() => void vi.advanceTimersByTime(5_000))
  expect(announced()).toEqual([])
})

test('the page has each text once, for who searches it', () => {
  const { container } = render(page(<Announced>one</Announced>))
  expect(container.textContent).toBe('one')
})

test('loading is announced once for all that load, and not if it is quick', () => {
  const { rerender } = render(page(<Waiting />))
  act(() => void vi.advanceTimersByTime(600))
  rerender(page())
  act(() => void vi.advanceTimersByTime(600))
  expect(announced()).toEqual([])
  rerender(page([<Waiting key="a" />, <Waiting key="b" />]))
  act(() => void vi.advanceTimersByTime(800))
  expect(announced()).toEqual(['Loading'])
})
