import { renderHook } from '@testing-library/react'
import { createElement, type ReactNode } from 'react'
import { expect, test } from 'vitest'
import { createLookAlikes, LookAlikeContext, useLookAlike } from './useLookAlike.ts'

test('behavior: an address looks like another one while both are on the page', () => {
  const value = createLookAlikes()
  const wrapper = ({ children }: { children: ReactNode }) => createElement(LookAlikeContext, { value }, children)
  const show = (address: string) => renderHook(() => useLookAlike(address), { wrapper })
  const [first, again] = [show(`0x12${'a'.repeat(34)}3456`), show(`0x12${'a'.repeat(34)}3456`)]
  expect([first, again].map(({ result }) => result.current)).toEqual([false, false])
  const second = show(`0x12${'b'.repeat(34)}3456`)
  expect([first, second].map(({ result }) => result.current)).toEqual([true, true])
  first.unmount()
  expect(second.result.current).toBe(true)
  again.unmount()
  expect(second.result.current).toBe(false)
})
