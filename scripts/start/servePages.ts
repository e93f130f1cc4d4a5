import { createRequire } from 'node:module'
import { join } from 'node:path'
import type { ServerMessage } from '../../apps/server/src/settings/startupState.ts'
import { nextFree } from '../lib/ports.ts'
import { startChild, withParent } from '../lib/startChild.ts'
import type { Product } from './product.ts'
import { failureOf } from './StartError.ts'

const root = join(import.meta.dirname, '../..')
const require = createRequire(import.meta.url)

/** Starts the public server; in `dev`, Vite in front of it. */
export async function servePages(product: Product, fail: (error: unknown) => void): Promise<void> {
  const { mode, settings, url, terminal } = product
  // In dev, Vite listens on the public port and forwards /v1.
  const port = mode === 'dev' ? await nextFree(settings.port + 1, [settings.apiPort, settings.rpcPort]) : settings.port
  if (mode === 'built' && !process.env.LINEAGE_WEB_DIR) await buildPages(product)
  await startServer(product, port)
  if (mode === 'dev') startVite(product, port, fail)
  terminal.line(`The page is at ${url}`)
}

async function buildPages({ terminal, data, processes }: Product) {
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

/** Starts the server, and waits until it listens. */
async function startServer({ mode, settings, data, processes, news }: Product, port: number) {
  const env = {
    ...process.env,
    PORT: String(port),
    LINEAGE_HOST: settings.host ?? '',
    LINEAGE_RPC_URLS: settings.rpcUrls.join(','),
    // In dev, the server and the page have different ports.
    LINEAGE_ORIGIN: settings.origins.join(','),
    LINEAGE_SESSION_SECRET: settings.sessionSecrets[0],
    LINEAGE_ACCOUNTS_DIR: data.accounts,
    ...(settings.source.kind === 'demo' && { DATABASE_URL: '' }),
    ...(mode === 'dev' && { LINEAGE_WEB_DIR: 'none' }),
  }
  const listening = Promise.withResolvers<'listening'>()
  let history: 'worked' | 'never_worked' = 'never_worked'
  processes.supervise({
    name: 'The server',
    logFile: data.log('server'),
    launch() {
      const child = startChild({
        module: join(root, 'apps/server/src/main.ts'),
        nodeOptions: ['--conditions=@lineage/source'],
        env,
        logFile: data.log('server'),
        onMessage(message) {
          if ((message as ServerMessage).type !== 'listening') return
          history = 'worked'
          listening.resolve('listening')
        },
      })
      news.sendTo(child)
      return child
    },
    onCrash: () => history,
  })
  await listening.promise
}

function startVite({ settings, data, processes }: Product, serverPort: number, fail: (error: unknown) => void) {
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
