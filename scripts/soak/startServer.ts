import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import type { RunningProcess } from './keepRunning.ts'

const program = join(import.meta.dirname, '../../apps/server/src/main.ts')

/** Starts a server without pages. A proxy names its visitors, who have no rate limits. */
export async function startServer(port: number, variables: Record<string, string>): Promise<RunningProcess> {
  const child = spawn(process.execPath, ['--conditions=@lineage/source', program], {
    stdio: ['ignore', 'ignore', 'inherit'],
    env: {
      PATH: process.env.PATH,
      PORT: String(port),
      LINEAGE_SESSION_SECRET: 'a secret for the soak, of thirty-two bytes',
      LINEAGE_TRUST_PROXY: '1',
      LINEAGE_LIMIT_LOOKUPS: '10000',
      LINEAGE_WEB_DIR: 'none',
      ...variables,
    },
  })
  const ended = once(child, 'exit')
  return {
    ended,
    async kill(signal) {
      child.kill(signal)
      await ended
    },
  }
}
