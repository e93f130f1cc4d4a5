import { delay } from '../../lib/delay.ts'
import { loadTwice } from '../frame/lazyWithPreload.tsx'
import { parseAddress } from './parseAddress.ts'

/** @see https://wicg.github.io/shape-detection-api/#barcode-detection-api */
type Detector = { detect(source: HTMLVideoElement): Promise<readonly { rawValue: string }[]> }
type DetectorClass = {
  getSupportedFormats(): Promise<readonly string[]>
  new (options: { formats: ['qr_code'] }): Detector
}

declare global {
  interface Window {
    BarcodeDetector?: DetectorClass
  }
}

/** State of a scan. The last four kinds end it, and the user must retry. */
export type ScanState =
  | { kind: 'asking' | 'looking' | 'unseen' | 'refused' | 'absent' | 'busy' | 'failed' }
  /** A code without an address. */
  | { kind: 'foreign'; text: string }

/** Returns whether codes can be scanned. Browsers that read no codes by themselves load a reader if there is a camera. */
export async function canScan(): Promise<boolean> {
  const { mediaDevices } = navigator
  if (!mediaDevices?.getUserMedia) return false
  if (await findOwnDetector()) return true
  const devices = await mediaDevices.enumerateDevices().catch(() => [])
  return devices.some(({ kind }) => kind === 'videoinput')
}

/** Returns the browser's own detector, if it reads QR codes. */
async function findOwnDetector(): Promise<DetectorClass | undefined> {
  const own = window.BarcodeDetector
  const formats = await own?.getSupportedFormats().catch((): string[] => [])
  return formats?.includes('qr_code') ? own : undefined
}

async function createDetector(): Promise<Detector> {
  const Own = await findOwnDetector()
  const Class = Own ?? (await loadTwice(() => import('qr/decode.js'))).BarcodeDetector
  return new Class({ formats: ['qr_code'] })
}

/** Milliseconds between two detections. */
const rest = 120
/** Number of detections without a code before a hint is shown. */
const looksUntilHint = 50

type ScanParameters = {
  video: HTMLVideoElement
  onState: (state: ScanState) => void
  /** Stops the scan and turns the camera off. */
  signal: AbortSignal
}

/** Scans until a code contains an address or a name. Resolves with `undefined` when aborted or failed. */
export async function scanQrCode({ video, onState, signal }: ScanParameters): Promise<string | undefined> {
  let stream: MediaStream | undefined
  try {
    onState({ kind: 'asking' })
    const loading = createDetector()
    // Awaited after the camera. Without this, an earlier failure would be an unhandled rejection.
    loading.catch(() => undefined)
    stream = await navigator.mediaDevices.getUserMedia({ video: { facingMode: 'environment' }, audio: false })
    signal.throwIfAborted()
    video.srcObject = stream
    await video.play()
    const detector = await loading
    signal.throwIfAborted()
    onState({ kind: 'looking' })
    for (let looks = 1; ; looks++) {
      if (stream.getVideoTracks().every(({ readyState }) => readyState === 'ended'))
        throw new Error('The camera was disconnected.')
      const [code] = await detector.detect(video)
      signal.throwIfAborted()
      if (code) {
        const { kind } = parseAddress(code.rawValue)
        if (kind === 'valid' || kind === 'name') return code.rawValue
        onState({ kind: 'foreign', text: code.rawValue })
        looks = 0
      } else if (looks === looksUntilHint) onState({ kind: 'unseen' })
      await delay(rest, signal)
    }
  } catch (error) {
    if (!signal.aborted) onState({ kind: toKind(error) })
    return undefined
  } finally {
    for (const track of stream?.getTracks() ?? []) track.stop()
    if (stream && video.srcObject === stream) video.srcObject = null
  }
}

/**
 * Returns the reason why the camera cannot be used.
 *
 * @see https://w3c.github.io/mediacapture-main/#dom-mediadevices-getusermedia
 */
function toKind(error: unknown): 'refused' | 'absent' | 'busy' | 'failed' {
  switch (error instanceof DOMException ? error.name : '') {
    case 'NotAllowedError':
    case 'SecurityError':
      return 'refused'
    case 'NotFoundError':
    case 'OverconstrainedError':
      return 'absent'
    case 'NotReadableError':
    case 'AbortError':
      return 'busy'
    default:
      return 'failed'
  }
}
