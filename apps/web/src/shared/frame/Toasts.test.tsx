import { fireEvent, render, screen, waitFor } from '@testing-library/react'
import { expect, test } from 'vitest'
import { announced } from '../../../test/renderApp.tsx'
import { createI18n, I18nProvider } from '../../lib/i18n.ts'
import { createNotices, type Notice } from '../../lib/notices.ts'
import { Announcer } from './Announcer.tsx'
import Toasts from './Toasts.tsx'

async function showToast(link?: Notice['link']) {
  const notices = createNotices()
  notices.setState([{ text: 'Copied', tone: 'success', ...(link && { link }) }], true)
  render(
    <I18nProvider i18n={await createI18n('en')}>
      <Announcer />
      <Toasts notices={notices} />
    </I18nProvider>,
  )
  const toast = (await screen.findByText('Copied', { selector: '[data-variant] *' })).closest(
    '[data-variant]',
  ) as HTMLElement
  Object.defineProperty(toast, 'offsetWidth', { value: 300 })
  toast.setPointerCapture = () => {}
  return toast
}

const dragBy = (toast: HTMLElement, distance: number) => {
  fireEvent.pointerDown(toast, { pointerId: 1, button: 0, clientX: 500 })
  fireEvent.pointerMove(toast, { pointerId: 1, clientX: 500 + distance })
  fireEvent.pointerUp(toast, { pointerId: 1, clientX: 500 + distance })
}

test('behavior: a toast dragged past 80 % of its width closes', async () => {
  dragBy(await showToast(), 250)
  await waitFor(() => expect(screen.queryByText('Copied')).toBeNull())
})

test('behavior: a toast dragged less far returns', async () => {
  const toast = await showToast()
  dragBy(toast, -230)
  expect(toast.style.transform).toBe('')
  expect(toast.isConnected).toBe(true)
})

test('behavior: a toast’s link opens in a new tab, and pressing it does not drag the toast', async () => {
  const toast = await showToast({ text: 'View on BscScan', url: 'https://bscscan.com/tx/0x1' })
  const link = screen.getByRole('link', { name: 'View on BscScan' })
  expect([link.getAttribute('href'), link.getAttribute('target')]).toEqual(['https://bscscan.com/tx/0x1', '_blank'])
  fireEvent.pointerDown(link, { pointerId: 1, button: 0, clientX: 500 })
  fireEvent.pointerMove(toast, { pointerId: 1, clientX: 600 })
  expect(toast.style.transform).toBe('')
})

test('accessibility: a toast is announced in an element that was there before', async () => {
  const toast = await showToast()
  expect(announced()).toContain('Copied')
  expect(toast.getAttribute('role')).toBeNull()
})
