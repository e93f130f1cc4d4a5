import { afterEach, expect, test, vi } from 'vitest'
import { addressOf } from '../../../test/forest.ts'
import { canScan, type ScanState, scan } from './scan.ts'

const address = addressOf(1)

/** A browser with a camera that sees `codes` one after the other, then the last for ever. */
function setup({ codes = [], refusal }: { codes?: (string | undefined)[]; refusal?: Error } = {}) {
  const track = { readyState: 'live', stop: vi.fn() }
  const stream = { getTracks: () => [track], getVideoTracks: () => [track] }
  const looks: HTMLVideoElement[] = []
  vi.stubGlobal(
    'BarcodeDetector',
    class {
      static getSupportedFormats = async () => ['aztec', 'qr_code']
      async detect(video: HTMLVideoElement) {
        const code = codes[Math.min(looks.push(video), codes.length) - 1]
        return code === undefined ? [] : [{ rawValue: code }]
      }
    },
  )
  const getUserMedia = vi.fn(async () => {
    if (refusal) throw refusal
    return stream
  })
  Object.defineProperty(navigator, 'mediaDevices', { configurable: true, value: { getUserMedia } })
  const video = { srcObject: null as unknown, play: async () => {} }
  const states: ScanState[] = []
  const ended = new AbortController()
  const result = () =>
    scan({
      video: video as unknown as HTMLVideoElement,
      onState: (state) => states.push(state),
      signal: ended.signal,
    })
  return { track, looks, states, ended, result, video, getUserMedia }
}

afterEach(() => {
  vi.unstubAllGlobals()
  vi.useRealTimers()
  Reflect.deleteProperty(navigator, 'mediaDevices')
})

test.each([
  ['an address', address],
  ['a payment', `ethereum:${address}@56`],
  ['a payment of a token', `ethereum:${addressOf(2)}@56/transfer?address=${address}`],
  ['a link to a lookup', `https://app.example/search?address=${address}&lang=en`],
  ['a name', 'alice.bnb'],
])('behavior: a code with %s ends it, and the camera is off', async (_, code) => {
  const { result, track, states, video } = setup({ codes: [undefined, code] })
  expect(await result()).toBe(code)
  expect(states.map(({ kind }) => kind)).toEqual(['asking', 'looking'])
  expect(track.stop).toHaveBeenCalled()
  expect(video.srcObject).toBeNull()
})

test('behavior: a foreign code is said, and it looks on', async () => {
  const { result, states } = setup({ codes: ['wc:a@2?relay-protocol=irn', address] })
  expect(await result()).toBe(address)
  expect(states.at(-1)).toEqual({ kind: 'foreign', text: 'wc:a@2?relay-protocol=irn' })
})

test('behavior: nothing to be found is said after a while', async () => {
  vi.useFakeTimers()
  const { result, states, ended, track } = setup()
  const scanning = result()
  await vi.advanceTimersByTimeAsync(30_000)
  expect(states.at(-1)).toEqual({ kind: 'unseen' })
  ended.abort()
  expect(await scanning).toBeUndefined()
  expect(track.stop).toHaveBeenCalled()
  expect(states.at(-1)).toEqual({ kind: 'unseen' })
})

test('behavior: closed before the camera was allowed: it goes off as soon as it comes on', async () => {
  const { result, states, ended, track, looks } = setup({ codes: [address] })
  const scanning = result()
  ended.abort()
  expect(await scanning).toBeUndefined()
  expect(track.stop).toHaveBeenCalled()
  expect(looks).toEqual([])
  expect(states).toEqual([{ kind: 'asking' }])
})

test.each([
  ['NotAllowedError', 'refused'],
  ['SecurityError', 'refused'],
  ['NotFoundError', 'absent'],
  ['OverconstrainedError', 'absent'],
  ['NotReadableError', 'busy'],
  ['TypeError', 'failed'],
])('error: %s is %s', async (name, kind) => {
  const { result, states } = setup({ refusal: new DOMException('', name) })
  expect(await result()).toBeUndefined()
  expect(states.at(-1)).toEqual({ kind })
})

test('error: the camera is pulled out', async () => {
  const { result, states, track } = setup()
  const scanning = result()
  await vi.waitFor(() => expect(states.at(-1)).toEqual({ kind: 'looking' }))
  track.readyState = 'ended'
  expect(await scanning).toBeUndefined()
  expect(states.at(-1)).toEqual({ kind: 'failed' })
})

test('canScan: only where there is a camera, and QR codes are read', async () => {
  expect(await canScan()).toBe(false)
  setup()
  expect(await canScan()).toBe(true)
  vi.stubGlobal('BarcodeDetector', { getSupportedFormats: async () => ['ean_13'] })
  expect(await canScan()).toBe(false)
  vi.stubGlobal('BarcodeDetector', { getSupportedFormats: async () => Promise.reject(new Error('no')) })
  expect(await canScan()).toBe(false)
})
