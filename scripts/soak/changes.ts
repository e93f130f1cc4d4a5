import { execFileSync } from 'node:child_process'
import { appendFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Step } from './runSteps.ts'
import { areCurrent } from './serverStatus.ts'
import { type Cluster, type ClusterProcess, community } from './startCluster.ts'
import { waitUntil } from './waitUntil.ts'

const root = join(import.meta.dirname, '../..')

/** Restarts and changes that an operator makes: `pnpm soak --changes --minutes 60`. */
export async function createChanges(cluster: Cluster): Promise<readonly Step[]> {
  const { folder, servers, readers, startProcess } = cluster
  const changed = join(folder, 'changed.json')
  writeFileSync(changed, JSON.stringify({ communities: [community, { ...community, id: 'second' }] }))
  const app = join(folder, 'app')
  execFileSync(process.execPath, [join(root, 'scripts/run.mjs'), 'deploy', app], { stdio: 'pipe' })
  appendFileSync(join(app, 'apps/reader/src/main.ts'), '\n// Another version.\n')

  const untilCurrent = async (process: ClusterProcess) => {
    const known = Number(await cluster.chain.client.getBlockNumber({ cacheTime: 0 }))
    if (!(await waitUntil(() => areCurrent({ servers: [process] }, known), 120_000)))
      throw new Error(`${process.host.name} is not ready:\n${process.output()}`)
  }
  /** Starts other readers beside the old ones, then replaces one server after the other, as docs/production.md says. */
  async function moveTo(options: Parameters<ClusterProcess['launch']>[0]): Promise<void> {
    for (const reader of readers) await reader.replace(reader.launch(options))
    for (const server of servers) {
      await server.replace(server.launch(options))
      await untilCurrent(server)
    }
  }
  return [
    { name: 'a reader is restarted', begin: () => readers[0]?.replace(readers[0].launch()) },
    { name: 'the other reader is restarted', begin: () => readers[1]?.replace(readers[1].launch()) },
    { name: 'each server is restarted', begin: () => moveTo({}) },
    { name: 'PostgreSQL is restarted', begin: ({ postgres }) => postgres.kill() },
    { name: 'a community is added', begin: () => moveTo({ config: changed }) },
    { name: 'it is removed again', begin: () => moveTo({}) },
    { name: 'another version is started', begin: () => moveTo({ app }) },
    { name: 'the version is undone', begin: () => moveTo({}) },
    {
      name: 'a third reader starts and ends',
      begin: async () => (await startProcess('reader-1', 'reader', {})).end('SIGTERM'),
    },
  ]
}
