import { stat, truncate } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import type { Problem, Status } from '@lineage/referral-api'
import { type Address, numberToHex } from 'viem'
import { createOracle } from './createOracle.ts'
import { type Service, startService } from './startService.ts'
import { type AnswerCounts, watchAnswers } from './watchAnswers.ts'

/** Milliseconds within which a fault must be reported. */
const saidLimit = 10_000
const recoveryLimit = 180_000

export type FaultReport = {
  fault: string
  /** Milliseconds until the fault was reported, and until the service was ready again; `never` beyond the limit. */
  said: number | 'never' | 'nothing to say'
  recovered: number | 'never'
}
export type ServiceSoaked = { faults: FaultReport[]; answers: AnswerCounts; blocks: number }

export type SoakServiceParameters = { minutes: number; log: (message: string) => void }

type Fault = {
  name: string
  inject: (service: Service) => Promise<void>
  heal: (service: Service) => Promise<void>
  /** Codes of reasons or warnings, one of which must be reported; `unready`: `/v1/ready` is not 200. */
  said: readonly string[]
}

/**
 * Runs the server and the indexer while faults happen one after the other: nodes fail, processes are killed, the
 * clock jumps, the disk is full, and a file of the tables is damaged. Compares every answer with an oracle.
 */
export async function soakService({ minutes, log }: SoakServiceParameters): Promise<ServiceSoaked> {
  const service = await startService()
  const ending = new AbortController()
  const miner = createMiner(service)
  const faults: FaultReport[] = []
  try {
    await miner.fill()
    const mining = miner.run(ending.signal)
    await waitUntil(() => isReady(service.url), recoveryLimit)
    const { url } = service
    const { counts, ended } = await watchAnswers({ url, ...miner, signal: ending.signal })
    const end = performance.now() + minutes * 60_000
    for (let index = 0; performance.now() < end; index++) {
      const report = await tryFault(allFaults[index % allFaults.length] as Fault, service)
      faults.push(report)
      log(
        `${report.fault}: said ${shown(report.said)}, ready again ${shown(report.recovered)}; ${counts.right} right, ${counts.refused} refused, ${counts.silent} silent, ${counts.wrong.length} wrong`,
      )
      await delay(2_000)
    }
    ending.abort()
    await Promise.all([ended, mining])
    return { faults, answers: counts, blocks: miner.knownBlock() }
  } catch (error) {
    log(`The end of the indexer's output:\n${service.indexer.output().slice(-2_000)}`)
    throw error
  } finally {
    ending.abort()
    await service.stop()
  }
}

const shown = (value: number | string) => (typeof value === 'number' ? `after ${(value / 1_000).toFixed(1)} s` : value)

async function tryFault({ name, inject, heal, said }: Fault, service: Service): Promise<FaultReport> {
  const before = performance.now()
  await inject(service)
  const wasSaid = said.length === 0 ? undefined : await waitUntil(() => isSaid(service.url, said), 60_000)
  const saidAfter = performance.now() - before
  // Keep comparing answers while the fault lasts.
  await delay(3_000)
  const healed = performance.now()
  await heal(service)
  const isBack = await waitUntil(
    async () => (await isReady(service.url)) && !(await isSaid(service.url, said)),
    recoveryLimit,
  )
  return {
    fault: name,
    said: wasSaid === undefined ? 'nothing to say' : wasSaid ? saidAfter : 'never',
    recovered: isBack ? performance.now() - healed : 'never',
  }
}

/** Returns whether a fault was reported in time. */
export const isInTime = ({ said, recovered }: FaultReport): boolean =>
  (said === 'nothing to say' || (said !== 'never' && said <= saidLimit)) && recovered !== 'never'

const nothing = async () => undefined
const ofFaults =
  (clockOffset: number, disk: 'free' | 'full' = 'free') =>
  async ({ setFaults }: Service) =>
    setFaults({ clockOffset, disk })

const allFaults: readonly Fault[] = [
  {
    name: 'both nodes silent',
    inject: async ({ nodes }) => void (await Promise.all(nodes.map((node) => node.stop()))),
    heal: async ({ nodes }) => void (await Promise.all(nodes.map((node) => node.listen()))),
    said: ['nodes_unavailable', 'stale', 'index_stuck'],
  },
  { name: 'the indexer killed', inject: async ({ indexer }) => indexer.kill(), heal: nothing, said: ['unready'] },
  { name: 'the disk full', inject: ofFaults(0, 'full'), heal: ofFaults(0), said: ['disk_full'] },
  {
    name: 'the first node silent',
    inject: ({ nodes: [first] }) => first.stop(),
    heal: ({ nodes: [first] }) => first.listen(),
    said: ['node_silent'],
  },
  { name: 'the clock an hour ahead', inject: ofFaults(3_600_000), heal: ofFaults(0), said: ['stale'] },
  { name: 'the server killed', inject: async ({ server }) => server.kill(), heal: nothing, said: ['unready'] },
  {
    name: 'both nodes at an old block',
    inject: freezeNodes,
    heal: thawNodes,
    said: ['stale', 'index_stuck', 'node_behind'],
  },
  { name: 'the clock an hour back', inject: ofFaults(-3_600_000), heal: ofFaults(0), said: [] },
  { name: 'a file of the tables cut in half', inject: damageTable, heal: readAnew, said: ['tables_damaged'] },
]

/** Makes the nodes return no block after the current one. */
async function freezeNodes({ nodes, chain }: Service): Promise<void> {
  const head = await chain.client.getBlockNumber({ cacheTime: 0 })
  for (const node of nodes)
    node.behave(({ method, params: [first] }) => {
      if (method === 'eth_blockNumber') return { result: numberToHex(head) }
      if (method !== 'eth_getBlockByNumber') return undefined
      const block = String(first)
      if (block === 'latest') return { instead: [numberToHex(head), true] }
      return block.startsWith('0x') && BigInt(block) > head ? { result: null } : undefined
    })
}

async function thawNodes({ nodes }: Service): Promise<void> {
  for (const node of nodes) node.behave(() => undefined)
}

async function damageTable({ indexer, database }: Service): Promise<void> {
  await indexer.stop('SIGKILL')
  const [{ path = '' } = {}] = await database.query<{ path: string }>(
    `select pg_relation_filepath(format('%I.bind_event', table_schema)) as path
      from information_schema.tables where table_name = 'bind_event'`,
  )
  const file = join(database.env.LINEAGE_INDEX_DIR ?? '', path)
  const { size } = await stat(file)
  await truncate(file, Math.floor(size / 8192 / 2) * 8192)
  indexer.launch()
}

async function readAnew({ indexer }: Service): Promise<void> {
  await indexer.stop()
  indexer.launch('reread')
}

async function isReady(url: string): Promise<boolean> {
  return (await fetch(`${url}/v1/ready`).catch(() => undefined))?.ok === true
}

/** Returns whether `/v1/status` or `/v1/ready` reports one of the codes. */
async function isSaid(url: string, codes: readonly string[]): Promise<boolean> {
  const ready = await fetch(`${url}/v1/ready`).catch(() => undefined)
  if (codes.includes('unready')) return ready?.ok !== true
  const { reasons = [] } = ((await ready?.json().catch(() => undefined)) ?? {}) as Partial<Problem>
  const answer = await fetch(`${url}/v1/status`).catch(() => undefined)
  const status = (await answer?.json().catch(() => undefined)) as Status | undefined
  const said = [...reasons, ...(status?.reasons ?? [])].map(({ code }): string => code)
  return [...said, ...(status?.warnings ?? []).map(({ kind }) => kind)].some((code) => codes.includes(code))
}

async function waitUntil(condition: () => Promise<boolean>, limit: number): Promise<boolean> {
  const end = performance.now() + limit
  while (!(await condition())) {
    if (performance.now() > end) return false
    await delay(100)
  }
  return true
}

/** Creates the miner, which binds addresses at random, one block per second, and adds them to the oracle. */
function createMiner({ chain }: Service) {
  const oracle = createOracle()
  const addresses = Array.from({ length: 500 }, (_, index): Address => numberToHex(index + 0xabc000, { size: 20 }))
  const pickAddress = () => addresses[Math.floor(Math.random() * addresses.length)] as Address
  let known = 0

  async function bind(pairs: [member: Address, referrer: Address][]): Promise<void> {
    await chain.bind(...pairs)
    const block = Number(await chain.client.getBlockNumber({ cacheTime: 0 }))
    oracle.add(...pairs.map(([member, referrer]) => ({ block, member, referrer })))
    known = block
  }

  return {
    oracle,
    pickAddress,
    knownBlock: () => known,
    /** Binds most addresses in final blocks some minutes in the past, so that the table has several pages. */
    async fill() {
      for (let from = 1; from < 400; from += 40)
        await bind(
          addresses
            .slice(from, from + 40)
            .map((member, index) => [member, addresses[Math.floor((from + index) / 3)] as Address]),
        )
      await chain.client.mine({ blocks: 60 })
      known = Number(await chain.client.getBlockNumber({ cacheTime: 0 }))
    },
    async run(signal: AbortSignal) {
      let timestamp = 0
      while (!signal.aborted) {
        timestamp = Math.max(timestamp + 1, Math.floor(Date.now() / 1_000))
        await chain.client.setNextBlockTimestamp({ timestamp: BigInt(timestamp) })
        await bind(Array.from({ length: 1 + Math.floor(Math.random() * 3) }, () => [pickAddress(), pickAddress()]))
        await delay(1_000)
      }
    },
  }
}
