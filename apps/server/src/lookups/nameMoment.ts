import { setTimeout } from 'node:timers/promises'
import { indexerHeaders } from '@lineage/referral-api/indexer-headers'
import type { MiddlewareHandler } from 'hono'
import type { IndexReader } from '../reader/createIndexReader.ts'

/** Milliseconds that a request waits for a block that another indexer has answered at; a few reads of the tables. */
const patience = 1_000
const interval = 20

type Clock = { now(): number; delay(milliseconds: number): Promise<unknown> }
const systemClock: Clock = { now: () => performance.now(), delay: setTimeout }

/**
 * Adds the newest block and the index to each response, for the server in front. A request that names a block waits
 * for it, so that a visitor never gets an older state from an indexer that is slightly behind.
 *
 * @param name Name of the index: its schema.
 */
export function nameMoment(
  index: Pick<IndexReader, 'view'>,
  name: string,
  clock: Clock = systemClock,
): MiddlewareHandler {
  return async (context, next) => {
    await waitForBlock(index, Number(context.req.header(indexerHeaders.atLeast) ?? 0), clock)
    await next()
    const view = index.view()
    if (view) context.header(indexerHeaders.block, String(view.asOf.block))
    context.header(indexerHeaders.index, name)
  }
}

async function waitForBlock(index: Pick<IndexReader, 'view'>, block: number, clock: Clock): Promise<void> {
  const end = clock.now() + patience
  while ((index.view()?.asOf.block ?? block) < block && clock.now() < end) await clock.delay(interval)
}
