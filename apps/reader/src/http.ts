import { createServer } from 'node:http'
import type { Gauge, Registry } from 'prom-client'
import type { ReaderState } from './report.ts'
import { SettingError, type Settings } from './settings.ts'

/** Serves the health, the readiness and the metrics of a reader. */
export async function listenHttp({ host, port }: Pick<Settings, 'host' | 'port'>, state: ReaderState): Promise<void> {
  let metrics: Promise<Registry> | undefined
  const server = createServer((request, response) => {
    const [path] = (request.url ?? '/').split('?')
    if (path === '/health') return void response.end('{"status":"ok"}')
    if (path === '/metrics') {
      metrics ??= createMetrics(state)
      return void metrics.then(async (registry) => {
        response.writeHead(200, { 'content-type': registry.contentType }).end(await registry.metrics())
      })
    }
    if (path !== '/ready') return void response.writeHead(404).end()
    const isReady = state.role !== 'starting' && state.database === 'answering'
    response.writeHead(isReady ? 200 : 503, { 'content-type': 'application/json' })
    response.end(JSON.stringify({ role: state.role, database: state.database }))
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      const isAddress = ['EADDRNOTAVAIL', 'ENOTFOUND', 'EAI_AGAIN'].includes(error.code ?? '')
      const reason = error.code === 'EADDRINUSE' ? 'is taken by another program' : `cannot be used (${error.code})`
      const message = isAddress
        ? `This machine does not have the address LINEAGE_READER_HOST: ${host}.`
        : `Port ${port} ${reason}. Set LINEAGE_READER_PORT to a free one.`
      reject(new SettingError(message))
    })
    server.listen(port, host, resolve)
  })
}

/** Creates the metrics of a reader, which are read from its state when they are requested. */
export async function createMetrics(state: ReaderState): Promise<Registry> {
  // Loaded when it is needed: a quarter of the modules of a reader are for it.
  const { collectDefaultMetrics, Gauge, Registry } = await import('prom-client')
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  const add = (name: string, help: string, labelNames: readonly string[], collect: (gauge: Gauge) => void) =>
    new Gauge({
      name: `lineage_reader_${name}`,
      help,
      labelNames: [...labelNames],
      registers: [registry],
      collect() {
        // A gauge without labels would be 0 after a reset.
        if (labelNames.length === 0) this.remove()
        else this.reset()
        collect(this)
      },
    })
  add('head_block', 'Newest block of the nodes.', [], (gauge) => {
    if (state.head !== null) gauge.set(state.head)
  })
  add(
    'writer',
    'Whether this reader writes: a standby does not, nor one without a database to write to.',
    [],
    (gauge) => gauge.set(state.role === 'writer' && state.database === 'answering' ? 1 : 0),
  )
  add('database_up', 'Whether the database answers.', [], (gauge) => gauge.set(state.database === 'answering' ? 1 : 0))
  add('database_fault', 'Why nothing can be written.', ['kind'], (gauge) => {
    if (state.database !== 'answering') gauge.set({ kind: state.database }, 1)
  })
  add('nodes_up', 'Whether a node can be read from.', [], (gauge) => {
    if (state.nodes) gauge.set(state.nodes.report().state === 'usable' ? 1 : 0)
  })
  add('node_warnings', 'Faults of the nodes.', ['node', 'kind'], (gauge) => {
    for (const { node, kind } of state.nodes?.warnings() ?? []) gauge.set({ node, kind }, 1)
  })
  const fields = {
    block: 'Newest stored block of a community.',
    finalized: 'Newest final block of a community.',
    reorgs: 'Replaced blocks that were not final, by community.',
    rebuilds: 'Replaced blocks that were final, by community.',
    unreadable: 'Logs of a community that were left out.',
  } as const
  for (const [field, help] of Object.entries(fields) as [keyof typeof fields, string][])
    add(`community_${field}`, help, ['community'], (gauge) => {
      for (const { community, row } of state.sources) gauge.set({ community: community.id }, row[field])
    })
  return registry
}
