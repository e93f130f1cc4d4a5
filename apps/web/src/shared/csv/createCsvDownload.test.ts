import { ReferralApiError } from '@lineage/referral-api'
import { expect, test, vi } from 'vitest'
import { type CsvFile, createCsvDownload, type LeftBehind } from './createCsvDownload.ts'

const encode = (text: string) => new TextEncoder().encode(text)

/** Creates a file on disk whose content the test can read. */
function createDisk({ left = 'nothing' as LeftBehind, room = 1_000 } = {}) {
  const disk = { written: '', file: undefined as string | undefined }
  const file: CsvFile = {
    async write(piece) {
      if (disk.written.length + piece.length > room) throw new Error('No room.')
      disk.written += new TextDecoder().decode(piece)
    },
    async finish() {
      disk.file = disk.written
    },
    discard: async () => left,
  }
  return { disk, choose: async () => file }
}

/** Creates a stream that the test pushes lines into. */
function createLines() {
  let controller: ReadableStreamDefaultController<Uint8Array>
  const stream = new ReadableStream<Uint8Array>({
    start(given) {
      controller = given
    },
  })
  return {
    open: async (signal: AbortSignal) => {
      signal.addEventListener('abort', () => controller.error(signal.reason))
      return stream
    },
    send: (text: string) => controller.enqueue(encode(text)),
    end: () => controller.close(),
    breakOff: () => controller.error(new TypeError('network error')),
  }
}

test('behavior: counts every row, and creates the file at the end', async () => {
  const lines = createLines()
  const { disk, choose } = createDisk()
  const { store, start } = createCsvDownload(lines.open)
  const done = start(choose)
  lines.send('head\r\n1,a\r\n2,')
  lines.send('b\r\n')
  await expect.poll(() => disk.written).toContain('b')
  expect([store.getState().state, disk.file]).toEqual(['running', undefined])
  lines.end()
  await done
  expect(store.getState()).toEqual({ state: 'saved', rows: 2 })
  expect(disk.file).toBe('head\r\n1,a\r\n2,b\r\n')
})

test.each(['nothing', 'emptyFile'] as const)('behavior: cancelled: %s is left', async (left) => {
  const lines = createLines()
  const { disk, choose } = createDisk({ left })
  const { store, start, cancel } = createCsvDownload(lines.open)
  const done = start(choose)
  lines.send('head\r\n1\r\n')
  await expect.poll(() => disk.written).not.toBe('')
  cancel()
  await done
  expect(store.getState()).toEqual({ state: 'cancelled', left })
  expect(disk.file).toBeUndefined()
})

test('error: a stream that breaks leaves no file, and can be retried', async () => {
  const broken = createLines()
  const whole = createLines()
  const streams = [broken, whole]
  const { disk, choose } = createDisk()
  const { store, start } = createCsvDownload((signal) => (streams.shift() ?? whole).open(signal))
  const first = start(choose)
  broken.send('head\r\n1\r\n2\r\n')
  await expect.poll(() => disk.written).not.toBe('')
  broken.breakOff()
  await first
  expect(store.getState()).toEqual({ state: 'failed', rows: 2, why: 'unreachable', left: 'nothing' })
  expect(disk.file).toBeUndefined()
  const second = start(choose)
  whole.end()
  await second
  expect(store.getState().state).toBe('saved')
})

test('error: a full disk is not reported as a broken connection', async () => {
  const lines = createLines()
  const { store, start } = createCsvDownload(lines.open)
  const done = start(createDisk({ room: 8 }).choose)
  lines.send('head\r\n1,2,3\r\n')
  await done
  expect(store.getState()).toMatchObject({ state: 'failed', why: 'disk' })
})

test('error: the service’s own errors are reported as such', async () => {
  const refused = new ReferralApiError('Wait.', { code: 'rate_limited', status: 429 })
  const { store, start } = createCsvDownload(() => Promise.reject(refused))
  await start(createDisk().choose)
  expect(store.getState()).toMatchObject({ state: 'failed', why: 'busy' })
})

test('behavior: cancelling the file picker sends no request', async () => {
  const open = vi.fn()
  const { store, start } = createCsvDownload(open)
  await start(async () => undefined)
  expect(store.getState()).toEqual({ state: 'idle' })
  expect(open).not.toHaveBeenCalled()
})

test('behavior: a second start changes nothing while the first runs', async () => {
  const lines = createLines()
  const { store, start, cancel } = createCsvDownload(lines.open)
  const done = start(createDisk().choose)
  const other = vi.fn()
  await start(other)
  expect(other).not.toHaveBeenCalled()
  cancel()
  await done
  expect(store.getState().state).toBe('cancelled')
})
