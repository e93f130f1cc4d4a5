import { indexerHeaders } from '@lineage/referral-api/indexer-headers'
import { Hono } from 'hono'
import { beforeEach, expect, test } from 'vitest'
import type { IndexView } from '../reader/indexState.ts'
import { nameMoment } from './nameMoment.ts'

let block: number
let time: number
/** Milliseconds after which the index reads block 8. */
let readAt: number

beforeEach(() => {
  block = 7
  time = 0
  readAt = Number.POSITIVE_INFINITY
})

const clock = {
  now: () => time,
  async delay(milliseconds: number) {
    time += milliseconds
    if (time >= readAt) block = 8
  },
}
const index = { view: () => ({ asOf: { block, timestamp: 1, finalizedBlock: 1 } }) as IndexView }

async function ask(atLeast: number) {
  const app = new Hono().use(nameMoment(index, 'lineage_test', clock)).get('/', (context) => context.text('answer'))
  const response = await app.request('/', { headers: { [indexerHeaders.atLeast]: String(atLeast) } })
  return Number(response.headers.get(indexerHeaders.block))
}

test('behavior: a request waits for the block that it names', async () => {
  readAt = 60
  expect(await ask(8)).toBe(8)
  expect(time).toBe(60)
})

test('behavior: a request waits for a second at most', async () => {
  expect(await ask(8)).toBe(7)
  expect(time).toBe(1_000)
})

test('behavior: a request for a block that was read does not wait', async () => {
  expect(await ask(7)).toBe(7)
  expect(time).toBe(0)
})
