import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import * as fc from 'fast-check'
import { expect, test, vi } from 'vitest'
import { encodeCheckpoint, ponderVersion, readCheckpoint, watchPort } from './ponderInternals.ts'

const entry = import.meta.resolve('ponder')

test('behavior: the installed Ponder is the version whose private tables are known', () => {
  const { version } = JSON.parse(readFileSync(new URL('../../package.json', entry), 'utf8')) as { version: string }
  expect(version, 'Compare the sources named in ponderInternals.ts, then raise ponderVersion.').toBe(ponderVersion)
})

type Encode = (checkpoint: Record<string, number>) => string

/** A checkpoint encoded by Ponder itself. */
const { encodeCheckpoint: encode } = (await import(new URL('./utils/checkpoint.js', entry).href)) as {
  encodeCheckpoint: Encode
}
const position = fc.record({ block: fc.nat(2 ** 40), timestamp: fc.nat(9_999_999_999) })
const toPonder = ({ block, timestamp }: { block: number; timestamp: number }) =>
  encode({
    blockTimestamp: timestamp,
    chainId: 56,
    blockNumber: block,
    transactionIndex: 7,
    eventType: 5,
    eventIndex: 3,
  })

test('property: reads what Ponder encodes', () => {
  fc.assert(
    fc.property(position, position, fc.constantFrom(0, 1), (latest, final, isReady) => {
      const row = { is_ready: isReady, latest: toPonder(latest), finalized: toPonder(final), written_by: '8' }
      expect(readCheckpoint(row, null)).toEqual({
        ...latest,
        finalizedBlock: final.block,
        backfill: isReady === 1 ? 'complete' : 'running',
      })
    }),
  )
})

test('property: encodes the end of a block, after every log of it', () => {
  fc.assert(
    fc.property(position, (one) => {
      expect(encodeCheckpoint(one)).toHaveLength(toPonder(one).length)
      expect(encodeCheckpoint(one) > toPonder(one)).toBe(true)
      expect(encodeCheckpoint(one).slice(0, 42)).toBe(toPonder(one).slice(0, 42))
    }),
  )
})

test.each([
  ['no checkpoint yet', { latest: null, finalized: null, written_by: null }, null, undefined],
  ['the checkpoint of the last run', { written_by: '8' }, '8', undefined],
  ['a checkpoint of this run', { written_by: '9' }, '8', 2],
  ['the checkpoint of a last run that ended at a final block', { written_by: '8', latest: 1 }, '8', 1],
] as const)('behavior: %s', (_, fields, before, block) => {
  const at = (number: number) => toPonder({ block: number, timestamp: 1 })
  const latest = 'latest' in fields ? fields.latest && at(fields.latest) : at(2)
  const row = { is_ready: 1, finalized: at(1), ...fields, latest }
  expect(readCheckpoint(row, before)?.block).toBe(block)
})

test('behavior: notices that Ponder would listen on another port', async () => {
  const load = (file: string) => import(new URL(file, entry).href)
  const { createLogger } = (await load('./internal/logger.js')) as { createLogger(options: { level: string }): object }
  const { getNextAvailablePort } = (await load('./utils/port.js')) as {
    getNextAvailablePort(parameters: { common: object }): Promise<number>
  }
  const other = createServer().listen(0, '127.0.0.1')
  await once(other, 'listening')
  const { port } = other.address() as AddressInfo
  const log = vi.spyOn(console, 'log').mockImplementation(() => {})
  const onTaken = vi.fn()
  watchPort(onTaken)

  const common = { logger: createLogger({ level: 'info' }), options: { port, hostname: '127.0.0.1' } }
  expect(await getNextAvailablePort({ common })).not.toBe(port)
  expect(onTaken).toHaveBeenCalledOnce()
  common.options.port = await getNextAvailablePort({ common })
  onTaken.mockClear()
  await getNextAvailablePort({ common })
  expect(onTaken, 'a free port').not.toHaveBeenCalled()
  log.mockRestore()
  other.close()
})
