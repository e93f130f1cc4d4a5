import { afterEach, expect, test, vi } from 'vitest'
import { addressOf } from '../../../test/forest.ts'
import { canScan, type ScanState, scanQrCode } from './scanQrCode.ts'

const address = addressOf(1)

type Setup = { codes?: (string | undefined)[]; refusal?: Error; devices?: { kind: string }[] }

/** Fakes a camera that sees `codes` one after the other, then the last one repeatedly. */
function setup({ codes = [], refusal, devices = [] }: Setup = {}) {
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
  const mediaDevices = { getUserMedia, enumerateDevices: async () => devices }
  Object.defineProperty(navigator, 'mediaDevices', { configurable: true, value: mediaDevices })
  const video = { srcObject: null as unknown, play: async () => {} }
  const states: ScanState[] = []
  const ended = new AbortController()
  const result = () =>
    scanQrCode({
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
])('behavior: a code with %s ends the scan and turns the camera off', async (_, code) => {
  const { result, track, states, video } = setup({ codes: [undefined, code] })
  expect(await result()).toBe(code)
  expect(states.map(({ kind }) => kind)).toEqual(['asking', 'looking'])
  expect(track.stop).toHaveBeenCalled()
  expect(video.srcObject).toBeNull()
})

test('behavior: a code without an address is reported, and the scan goes on', async () => {
  const { result, states } = setup({ codes: ['wc:a@2?relay-protocol=irn', address] })
  expect(await result()).toBe(address)
  expect(states.at(-1)).toEqual({ kind: 'foreign', text: 'wc:a@2?relay-protocol=irn' })
})

test('behavior: shows a hint when no code is found for a while', async () => {
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

test('behavior: turns the camera off at once when closed before access was granted', async () => {
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

test('error: the camera is unplugged', async () => {
  const { result, states, track } = setup()
  const scanning = result()
  await expect.poll(() => states.at(-1)).toEqual({ kind: 'looking' })
  track.readyState = 'ended'
  expect(await scanning).toBeUndefined()
  expect(states.at(-1)).toEqual({ kind: 'failed' })
})

test('behavior: canScan requires a way to a camera, and that the browser reads QR codes or has one', async () => {
  expect(await canScan()).toBe(false)
  setup()
  expect(await canScan()).toBe(true)
  vi.stubGlobal('BarcodeDetector', { getSupportedFormats: async () => ['ean_13'] })
  expect(await canScan()).toBe(false)
  vi.stubGlobal('BarcodeDetector', { getSupportedFormats: async () => Promise.reject(new Error('no')) })
  expect(await canScan()).toBe(false)
  setup({ devices: [{ kind: 'audioinput' }, { kind: 'videoinput' }] })
  vi.stubGlobal('BarcodeDetector', undefined)
  expect(await canScan()).toBe(true)
})
