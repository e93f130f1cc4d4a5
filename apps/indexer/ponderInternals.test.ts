import { once } from 'node:events'
import { existsSync, readFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import * as fc from 'fast-check'
import { zeroAddress } from 'viem'
import { expect, test, vi } from 'vitest'
import { freePort } from '../../scripts/vitest/freePort.ts'
import { requireFromPonder } from './openDatabase.ts'
import {
  encodeCheckpoint,
  finality,
  ponderVersion,
  readCheckpoint,
  watchPort,
  wideRangeMessage,
} from './ponderInternals.ts'

const entry = import.meta.resolve('ponder')

/** Files that rely on undocumented behaviour of Ponder, which their comments name. */
const relying = [
  'ponderInternals.ts',
  'ponderLoader.ts',
  'ponderProgram.ts',
  'ponderStandIns.ts',
  'nodes/createPonderView.ts',
  'nodes/serveNodes.ts',
  'nodes/state/pace.ts',
  'openDatabase.ts',
]

test('behavior: the installed Ponder is the version whose insides are known', () => {
  const { version } = JSON.parse(readFileSync(new URL('../../package.json', entry), 'utf8')) as { version: string }
  const advice = `Compare what ${relying.join(', ')} say of Ponder with its sources, then raise ponderVersion.`
  expect(version, advice).toBe(ponderVersion)
  expect(relying.filter((file) => !existsSync(join(import.meta.dirname, file)))).toEqual([])
})

test('behavior: blocks are final as late as in Ponder', async () => {
  const { getFinalityBlockCount } = (await import(new URL('./utils/finality.js', entry).href)) as {
    getFinalityBlockCount(parameters: { chain: { id: number } }): number
  }
  expect(getFinalityBlockCount({ chain: { id: 56 } })).toBe(finality)
})

test('behavior: Ponder narrows a range of logs as asked', () => {
  const { getLogsRetryHelper } = requireFromPonder('@ponder/utils') as {
    getLogsRetryHelper(parameters: { params: object[]; error: object }): { shouldRetry: boolean; ranges?: object[] }
  }
  const params = [{ address: zeroAddress, fromBlock: '0x1', toBlock: '0x14' }]
  const retry = (message: string) => getLogsRetryHelper({ params, error: { code: -32005, message } })
  expect(retry(wideRangeMessage(1, 10))).toMatchObject({
    shouldRetry: true,
    ranges: [
      { fromBlock: '0x1', toBlock: '0xa' },
      { fromBlock: '0xb', toBlock: '0x14' },
    ],
  })
  expect(retry(wideRangeMessage(1, undefined))).toMatchObject({ shouldRetry: true })
  expect(retry('unknown')).toMatchObject({ shouldRetry: false })
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
  // Not a port of the system's choice: its neighbour may be taken too, which ends Ponder's search with an uncaught error.
  const port = await freePort()
  const other = createServer().listen(port, '127.0.0.1')
  await once(other, 'listening')
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
