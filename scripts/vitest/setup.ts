import fc from 'fast-check'
import { vi } from 'vitest'

// The same commit is tested with the same cases; LINEAGE_SEED looks for others.
fc.configureGlobal({ seed: Number(process.env.LINEAGE_SEED ?? 56) })

const { waitFor } = vi
const timeout = 15_000
vi.waitFor = (callback, options) => waitFor(callback, typeof options === 'number' ? options : { timeout, ...options })
