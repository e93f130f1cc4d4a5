/**
 * Loaded before a process of the soak (`--import`): makes its wall clock jump, and its writes fail like on a full
 * disk, as the file in SOAK_FAULTS says.
 */
import fs from 'node:fs'
import promises from 'node:fs/promises'
import { syncBuiltinESMExports } from 'node:module'

/** Content of the file in SOAK_FAULTS. */
export type Faults = { clockOffset: number; disk: 'free' | 'full' }

const file = process.env.SOAK_FAULTS
const { fstatSync, readFileSync, writeSync } = fs
const { statfs } = promises
const state: Faults = { clockOffset: 0, disk: 'free' }

if (file) {
  setInterval(() => {
    try {
      Object.assign(state, JSON.parse(readFileSync(file, 'utf8')))
    } catch {
      // The file is being written.
    }
  }, 50).unref()
  stepClock()
  fillDisk()
}

/** Changes only the wall clock: timers use another clock. */
function stepClock(): void {
  const { now } = Date
  Date.now = () => now() + state.clockOffset
  globalThis.Date = new Proxy(Date, {
    construct: (date, values, target) => Reflect.construct(date, values.length === 0 ? [Date.now()] : values, target),
  })
}

/** Makes writes fail like on a full disk: existing bytes of a file can be overwritten, but a file cannot grow. */
function fillDisk(): void {
  const write = writeSync as (...values: unknown[]) => number
  const guarded = (...values: unknown[]): number => {
    const [descriptor, bytes, offset, length, position] = values
    const isOutput = typeof descriptor === 'number' && descriptor < 3
    if (state.disk === 'full' && !isOutput && bytes instanceof Uint8Array) {
      const written = typeof length === 'number' ? length : bytes.length - Number(offset ?? 0)
      const { size } = fstatSync(Number(descriptor))
      if (Number(position ?? size) + written > size)
        throw Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC', errno: -28 })
    }
    return write(...values)
  }
  fs.writeSync = guarded as typeof writeSync
  promises.statfs = (async (path: string) => {
    const found = await statfs(path)
    return state.disk === 'full' ? Object.assign(found, { bavail: 0, bfree: 0 }) : found
  }) as typeof statfs
  syncBuiltinESMExports()
}
