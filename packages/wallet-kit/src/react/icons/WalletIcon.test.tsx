import { act, renderHook, waitFor } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { useIconUrl } from './WalletIcon.tsx'

test('behavior: an icon that has loaded stays when another load of it fails later', async () => {
  let fail = (_: Error) => {}
  const iconUrl = vi
    .fn<() => Promise<string>>()
    .mockReturnValueOnce(new Promise((_, reject) => (fail = reject)))
    .mockResolvedValue('data:image/svg+xml,first')
  // In its row and beside it, at the same time.
  const row = renderHook(() => useIconUrl(iconUrl))
  const step = renderHook(() => useIconUrl(iconUrl))
  await waitFor(() => expect(step.result.current).toBe('data:image/svg+xml,first'))
  await act(async () => fail(new Error('No network.')))
  step.rerender()
  expect(step.result.current).toBe('data:image/svg+xml,first')
  expect(row.result.current).toBe('data:image/svg+xml,first')
  expect(iconUrl).toHaveBeenCalledTimes(2)
})

test('behavior: an icon that failed is loaded again when it is shown again', async () => {
  const iconUrl = vi
    .fn<() => Promise<string>>()
    .mockRejectedValueOnce(new Error('No network.'))
    .mockResolvedValue('data:image/svg+xml,second')
  const first = renderHook(() => useIconUrl(iconUrl))
  await act(async () => {})
  expect(first.result.current).toBeUndefined()
  const second = renderHook(() => useIconUrl(iconUrl))
  await waitFor(() => expect(second.result.current).toBe('data:image/svg+xml,second'))
})
