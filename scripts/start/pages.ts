import { createRequire } from 'node:module'
import { join } from 'node:path'
import { startChild, withParent } from '../lib/startChild.ts'
import { failureOf, type Product } from './createProcesses.ts'

const root = join(import.meta.dirname, '../..')
const require = createRequire(import.meta.url)

/** Builds the page, unless one that was built elsewhere is served. */
export async function buildPage({ mode, terminal, data, processes }: Product): Promise<void> {
  if (mode === 'dev' || process.env.LINEAGE_WEB_DIR) return
  const phase = terminal.phase('Building the page')
  const turbo = require.resolve('turbo/bin/turbo')
  const args = [turbo, 'run', 'build', '--filter=@lineage/web', '--output-logs=new-only']
  const build = startChild({ ...withParent(process.execPath, args), cwd: root, logFile: data.log('build') })
  processes.add(build)
  const { code } = await build.ended
  processes.remove(build)
  if (code !== 0) throw failureOf('Building the page', build, data.log('build'))
  phase.done('The page is built')
}

/** Starts Vite, which serves the page on the public port and forwards `/v1` to the server. */
export function startVite({ settings, data, processes, serverPort }: Product, fail: (error: unknown) => void): void {
  const vite = createRequire(join(root, 'apps/web/package.json')).resolve('vite/package.json')
  const args = [join(vite, '../bin/vite.js'), '--port', String(settings.port), '--strictPort', '--host', 'localhost']
  const child = startChild({
    ...withParent(process.execPath, args),
    cwd: join(root, 'apps/web'),
    env: { ...process.env, LINEAGE_SERVER: `http://127.0.0.1:${serverPort}` },
    logFile: data.log('vite'),
  })
  processes.add(child)
  void child.ended.then(() => fail(failureOf('Vite', child, data.log('vite'))))
}
