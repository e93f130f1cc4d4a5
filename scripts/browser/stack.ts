import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort } from '../vitest/freePort.ts'

/** Chooses a value once. Each worker evaluates this file again and gets the first choice from the environment. */
async function choose(name: string, value: () => string | Promise<string>): Promise<string> {
  const key = `LINEAGE_TEST_${name}`
  const chosen = process.env[key] ?? (await value())
  process.env[key] = chosen
  return chosen
}

const port = async () => `${await freePort()}`

/** The environment of the tested product: free ports and its own data directory. */
export const stackEnvironment = {
  PORT: await choose('PORT', port),
  LINEAGE_READER_PORT: await choose('READER_PORT', port),
  RPC_PORT: await choose('RPC_PORT', port),
  LINEAGE_DATA_DIR: await choose('DATA_DIR', () => mkdtempSync(join(tmpdir(), 'lineage-'))),
}

export const stackUrl = `http://localhost:${stackEnvironment.PORT}`
export const nodeUrl = `http://127.0.0.1:${stackEnvironment.RPC_PORT}`
