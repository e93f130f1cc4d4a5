import { renderHook } from '@testing-library/react'
import { expect, onTestFinished, test, vi } from 'vitest'
import { useCloseOnBack } from './useCloseOnBack.ts'

test('behavior: a component that is mounted while the browser is late moves no second time, which would leave the page', () => {
  vi.useFakeTimers()
  // As after a reload with an open dialog.
  history.replaceState({ openLayers: 1 }, '')
  onTestFinished(() => {
    vi.useRealTimers()
    history.replaceState(null, '')
  })
  const move = vi.spyOn(history, 'go').mockReturnValue()
  const mount = () => renderHook(() => useCloseOnBack({ isOpen: false, onClose: () => {} }))
  mount()
  vi.runAllTimers()
  expect(move.mock.calls).toEqual([[-1]])
  mount()
  vi.runAllTimers()
  expect(move).toHaveBeenCalledOnce()
})
