import { fireEvent, render, screen, waitFor } from '@testing-library/react'
import { I18nextProvider } from 'react-i18next'
import { expect, test } from 'vitest'
import { createI18n } from '../../lib/i18n.ts'
import { createNotices } from '../../lib/notices.ts'
import Toasts from './Toasts.tsx'

async function showToast() {
  const notices = createNotices()
  notices.tell({ text: 'Copied', tone: 'success' })
  render(
    <I18nextProvider i18n={await createI18n('en')}>
      <Toasts notices={notices} />
    </I18nextProvider>,
  )
  const toast = (await screen.findByText('Copied')).closest('[role="status"]') as HTMLElement
  Object.defineProperty(toast, 'offsetWidth', { value: 300 })
  toast.setPointerCapture = () => {}
  return toast
}

const dragBy = (toast: HTMLElement, distance: number) => {
  fireEvent.pointerDown(toast, { pointerId: 1, button: 0, clientX: 500 })
  fireEvent.pointerMove(toast, { pointerId: 1, clientX: 500 + distance })
  fireEvent.pointerUp(toast, { pointerId: 1, clientX: 500 + distance })
}

test('behavior: dragged past 80 % of its width it goes', async () => {
  dragBy(await showToast(), 250)
  await waitFor(() => expect(screen.queryByText('Copied')).toBeNull())
})

test('behavior: dragged less far it comes back', async () => {
  const toast = await showToast()
  dragBy(toast, -230)
  expect(toast.style.transform).toBe('')
  expect(screen.getByText('Copied')).toBeTruthy()
})
