import { expect, test } from 'vitest'
import { blockAt, logAt } from '../../test/blocks.ts'
import type { BlockRange } from '../nodes/rpc.ts'
import { compareWithNodes } from './fileSource.ts'
import { type HistoryBlock, type HistoryLog, type HistorySource, isWanted, type LogFilter } from './HistorySource.ts'
import type { FileLog } from './logFile.ts'

const rareAddress = `0x${'ee'.repeat(20)}` as const
const [topic] = logAt(0).topics as [`0x${string}`]
const frequent = { address: logAt(0).address, topic, fromBlock: 0 }
const rare = { address: rareAddress, topic, fromBlock: 0 }

/** One log every 20 blocks, and one of the rare contract every 20,000. */
const chain = Array.from({ length: 50_000 }, (_, index) => 20 * (index + 1)).flatMap((number) => {
  const log = { number, log: logAt(number) as HistoryLog }
  if (number % 20_000 !== 0) return [log]
  return [log, { number, log: logAt(number, 1, { address: rareAddress }) as HistoryLog }]
})
const logsOf = (fromBlock: number, toBlock: number) =>
  chain.filter(({ number }) => number >= fromBlock && number <= toBlock).map(({ log }) => log)
const headerOf = ({ blockNumber }: HistoryLog): HistoryBlock => {
  const { number, hash, timestamp } = blockAt(Number(blockNumber))
  return { number, hash, timestamp } as HistoryBlock
}
const whole = { fromBlock: 1, toBlock: 1_000_000 }

/** Compares files that lack some logs with nodes that serve at most `width` blocks at once. */
function compare({
  isLost,
  width,
  filter,
  range = whole,
}: {
  isLost: (log: HistoryLog) => boolean
  width: number
  filter: LogFilter
  range?: BlockRange
}) {
  const nodes: HistorySource = {
    async read({ fromBlock, toBlock }, wanted) {
      const served = { fromBlock, toBlock: Math.min(toBlock, fromBlock + width - 1) }
      const logs = logsOf(served.fromBlock, served.toBlock).filter((log) => isWanted(log, wanted))
      return { range: served, logs, blocks: logs.map(headerOf) }
    },
  }
  const known = logsOf(range.fromBlock, range.toBlock).filter((log) => isWanted(log, filter) && !isLost(log))
  const toFileLog = (log: HistoryLog) =>
    ({
      log,
      block: headerOf(log),
      number: Number(log.blockNumber),
      index: Number(log.logIndex),
      place: 'logs.csv:2',
    }) as FileLog
  return compareWithNodes({
    files: {
      names: { read: [], ignored: [] },
      covered: range,
      count: known.length,
      counts: filter.map((one) => known.filter((log) => isWanted(log, [one])).length),
      async read({ fromBlock, toBlock }) {
        const logs = logsOf(fromBlock, toBlock).filter((log) => isWanted(log, filter) && !isLost(log))
        return {
          range: { fromBlock, toBlock },
          logs: logs.map(toFileLog),
          before: undefined,
          after: toFileLog(logAt(0) as HistoryLog),
        }
      },
    },
    range,
    filter,
    nodes,
    ask: (request) => request(),
    random: () => 0,
  })
}

test('behavior: a short range is compared whole, and once', async () => {
  const short = { fromBlock: 1_001, toBlock: 3_000 }
  const compared = await compare({ isLost: () => false, width: 300, filter: [frequent, rare], range: short })
  expect(compared.blocks).toBe(2_000)
})

test('behavior: samples are compared as a whole where nodes serve a part at a time', async () => {
  const one = { isLost: () => false, filter: [frequent] }
  const atOnce = await compare({ ...one, width: 1_000_000 })
  expect(atOnce.logs).toBeGreaterThan(4_000)
  expect(await compare({ ...one, width: 300 })).toEqual(atOnce)
})

test('error: a rare contract is missing beside a frequent one', async () => {
  const isLost = ({ address }: HistoryLog) => address === rareAddress
  await expect(compare({ isLost, width: 5_000, filter: [frequent, rare] })).rejects.toThrow(
    'log 1 of block 20000 is missing',
  )
})
