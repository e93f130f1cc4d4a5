import { db, publicClients } from 'ponder:api'
import type { Hono } from 'hono'
import { loadConfig } from '../../config/index.ts'
import { createApi } from './createApi.ts'
import { createFollow } from './follow.ts'
import { createTables } from './tables.ts'

const { communities } = await loadConfig(process.env.LINEAGE_CONFIG)
const tables = await createTables(db)
const log = (message: string) => console.log(message)
const follow = createFollow({
  communities,
  tables,
  log,
  headBlock: async () => Number(await publicClients.bsc.getBlockNumber({ cacheTime: 0 })),
})
follow.start()

const api: Hono = createApi({ communities, follow, findTx: tables.findTx, log })
export default api
