import { numberToHex } from 'viem'
import { expect, test } from 'vitest'
import { findFork } from './createSourceForest.ts'
import type { EventRow } from './events.ts'

const row = (block: number, logIndex: number, fork = 0): EventRow => ({
  kind: 'bind',
  block,
  logIndex,
  blockHash: numberToHex(block * 10 + fork, { size: 32 }),
  timestamp: block,
  member: numberToHex(block * 100 + logIndex, { size: 20 }),
  referrer: null,
})
