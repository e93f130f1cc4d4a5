import { act, render, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { addressOf } from '../../../test/forest.ts'
import { createI18n, I18nProvider, loadLaterTexts } from '../../lib/i18n.ts'
import ScanButton from './ScanButton.tsx'

/** Fake camera: the codes it sees, an error if it is not allowed, and how often it was turned on and off. */
const camera = { codes: [] as string[], refusal: undefined as Error | undefined, on: 0, off: 0 }

beforeEach(() => {
  Object.assign(camera, { codes: [], refusal: undefined, on: 0, off: 0 })
  const getUserMedia = async () => {
    if (camera.refusal) throw camera.refusal
    camera.on++
    const track = { readyState: 'live', stop: () => camera.off++ }
    return { getTracks: () => [track], getVideoTracks: () => [track] }
  }
  Object.defineProperty(navigator, 'mediaDevices', { configurable: true, value: { getUserMedia } })
  vi.stubGlobal(
    'BarcodeDetector',
    class {
      static getSupportedFormats = async () => ['qr_code']
      detect = async () => camera.codes.map((rawValue) => ({ rawValue }))
    },
  )
  vi.spyOn(HTMLMediaElement.prototype, 'play').mockResolvedValue()
})
afterEach(() => {
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
  Reflect.deleteProperty(navigator, 'mediaDevices')
})

async function open() {
  const i18n = await createI18n('en')
  await loadLaterTexts(i18n)
  const onText = vi.fn()
  await act(async () =>
    render(
      <I18nProvider i18n={i18n}>
        <ScanButton onText={onText} />
      </I18nProvider>,
    ),
  )
  await userEvent.click(await screen.findByRole('button', { name: 'Scan a QR code' }))
  await screen.findByRole('dialog', { name: 'Scan an address' })
  return onText
}
const says = (text: RegExp) => waitFor(() => expect(screen.getByRole('status').textContent).toMatch(text))
const isOff = () => waitFor(() => expect([camera.on, camera.off]).toEqual([camera.on, camera.on]))

test('behavior: a code without an address is reported; one with an address closes the dialog and turns the camera off', async () => {
  const onText = await open()
  await says(/Hold the QR code/)
  camera.codes = ['hello']
  await says(/This code contains no address: hello/)
  camera.codes = ['wc:a@2?symKey=b']
  await says(/^This is a WalletConnect code for a wallet, not an address\. [^:]*$/)
  camera.codes = [`ethereum:${addressOf(1)}@56`]
  await waitFor(() => expect(onText.mock.calls).toEqual([[`ethereum:${addressOf(1)}@56`]]))
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  expect(camera.on).toBe(1)
  await isOff()
})

test('behavior: the camera is off while the page is hidden; Escape closes the dialog', async () => {
  const onText = await open()
  await says(/Hold the QR code/)
  const show = (state: DocumentVisibilityState) => {
    vi.spyOn(document, 'visibilityState', 'get').mockReturnValue(state)
    act(() => void document.dispatchEvent(new Event('visibilitychange')))
  }
  show('hidden')
  await says(/The camera is off/)
  await isOff()
  show('visible')
  await says(/Hold the QR code/)
  expect(camera.on).toBe(2)
  await userEvent.keyboard('{Escape}')
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  await isOff()
  expect(onText).not.toHaveBeenCalled()
})

test('behavior: refused, then allowed', async () => {
  camera.refusal = new DOMException('', 'NotAllowedError')
  await open()
  await says(/access was denied/)
  camera.refusal = undefined
  await userEvent.click(screen.getByRole('button', { name: 'Retry' }))
  await says(/Hold the QR code/)
})
