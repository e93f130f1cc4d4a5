import { db, publicClients } from 'ponder:api'
import { createSnapshots } from '@lineage/forest'
import type { Warning } from '@lineage/referral-api'
import type { Hono } from 'hono'
import type { Address } from 'viem'
import { loadConfig } from '../../config/index.ts'
import { createApi } from './createApi.ts'
import { createFollow } from './follow.ts'
import { readNodeWarnings } from './nodeWarnings.ts'
import { repeat } from './repeat.ts'
import { createSamples } from './samples.ts'
import { createSpotChecks } from './spotChecks.ts'
import { createTables } from './tables.ts'

const { communities } = await loadConfig(process.env.LINEAGE_CONFIG)
const tables = await createTables(db, process.env.LINEAGE_ROLE === 'serve' ? 'serve' : 'start')
const log = (message: string) => console.log(message)
const follow = createFollow({
  communities,
  tables,
  log,
  snapshots: createSnapshots(),
  headBlock: async () => Number(await publicClients.bsc.getBlockNumber({ cacheTime: 0 })),
})
follow.start()

const samples = createSamples(db)
const checks = createSpotChecks({
  communities,
  follow,
  sample: samples.members,
  shapeOf: samples.shapeOf,
  hasCode: async (address) => (await publicClients.bsc.getCode({ address })) !== undefined,
  async readReferrer({ address, parentView }, member, block) {
    if (!parentView) throw new Error('no view')
    const { item } = parentView
    const call = { abi: [item], address, functionName: item.name, args: [member], blockNumber: BigInt(block) }
    return (await publicClients.bsc.readContract(call)) as Address
  },
  log,
})
repeat('The contract cannot be compared with', log, checks.run)

let ofNodes: Warning[] = []
repeat('What the nodes cannot do is not known', log, async () => {
  ofNodes = await readNodeWarnings(process.env.LINEAGE_NODES_URL ?? '')
  return 2_000
})

const watch = {
  warnings: () => [...ofNodes, ...checks.warnings()],
  spotChecks: checks.spotChecks,
  withheld: checks.withheld,
}
const api: Hono = createApi({ communities, follow: checks, tables, log, watch })
export default api
