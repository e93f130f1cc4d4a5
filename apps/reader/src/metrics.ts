import { collectDefaultMetrics, Gauge, Registry } from 'prom-client'
import type { ReaderState } from './report.ts'

/** Creates the metrics of a reader, which are read from its state when they are requested. */
export function createMetrics(state: ReaderState): Registry {
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
