/** Loaded before a process of the soak (`--import`): makes its wall clock as wrong as the file in SOAK_CLOCK says. */
import { readFileSync } from 'node:fs'

const file = process.env.SOAK_CLOCK
let offset = 0

if (file) {
  const { now } = Date
  setInterval(() => {
    // An empty file is being written.
    offset = Number(readFileSync(file, 'utf8') || offset)
  }, 50).unref()
  // Timers use another clock, as on a machine whose clock jumps.
  Date.now = () => now() + offset
  globalThis.Date = new Proxy(Date, {
    construct: (date, values, target) => Reflect.construct(date, values.length === 0 ? [Date.now()] : values, target),
  })
}
