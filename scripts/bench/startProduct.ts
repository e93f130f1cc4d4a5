import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { startChild } from '../lib/startChild.ts'
import { freePort } from '../vitest/freePort.ts'

/** Starts the product with demo data on its own ports and in its own folder, and waits until it answers. */
export async function startProduct() {
  const folder = mkdtempSync(join(tmpdir(), 'lineage-bench-'))
  const env = {
    ...process.env,
    PORT: `${await freePort()}`,
    LINEAGE_READER_PORT: `${await freePort()}`,
    RPC_PORT: `${await freePort()}`,
    LINEAGE_DATA_DIR: join(folder, 'data'),
    // As in `run.mjs`: the memory is that of a server in production.
    NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE ?? join(import.meta.dirname, '../../node_modules/.cache/node'),
    MALLOC_ARENA_MAX: '2',
  }
  const url = `http://localhost:${env.PORT}`
  const product = startChild({ module: join(import.meta.dirname, '../start.ts'), env, logFile: join(folder, 'log') })
  await Promise.race([
    isReady(url),
    product.ended.then(() => {
      throw new Error(`The product ended:\n${product.tail().join('\n')}`)
    }),
  ])
  return {
    url,
    pid: product.pid,
    nodeUrl: `http://127.0.0.1:${env.RPC_PORT}`,
    async stop() {
      await product.stop()
      rmSync(folder, { recursive: true })
    },
  }
}

async function isReady(url: string): Promise<void> {
  for (;;) {
    const answer = await fetch(`${url}/v1/ready`).catch(() => undefined)
    if (answer?.ok) return
    await delay(250)
  }
}
