import { afterEach, expect, test, vi } from 'vitest'
import { shareFile } from './CardDialog.tsx'

const file = new File(['x'], 'card.png', { type: 'image/png' })
const url = 'https://lineage.example/?address=0x1'
const saved: string[] = []

/** Gives the browser a share sheet with the given result, and records the files that are saved instead. */
function prepare(share?: () => Promise<void>) {
  saved.length = 0
  vi.stubGlobal('navigator', share ? { canShare: () => true, share } : {})
  URL.createObjectURL = () => 'blob:x'
  vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function (this: HTMLAnchorElement) {
    saved.push(this.download)
  })
}
afterEach(() => {
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
})

test('behavior: the share sheet gets the file and its link', async () => {
  const share = vi.fn(async () => {})
  prepare(share)
  expect(await shareFile(file, url, 'share')).toBe('ready')
  expect(share).toHaveBeenCalledWith({ files: [file], url })
  expect(saved).toEqual([])
})

test('behavior: without a share sheet for files, the file is saved', async () => {
  prepare()
  expect(await shareFile(file, url, 'share')).toBe('ready')
  expect(saved).toEqual(['card.png'])
})

test.each([
  ['AbortError', 'ready'],
  ['NotAllowedError', 'failed'],
])('behavior: a share sheet that ends with %s is reported as %s', async (name, state) => {
  prepare(() => Promise.reject(new DOMException('', name)))
  expect(await shareFile(file, url, 'share')).toBe(state)
})
