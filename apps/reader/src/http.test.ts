import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { createMetrics } from './http.ts'
import type { ReaderState } from './report.ts'

const standby: ReaderState = {
  head: null,
  replaced: undefined,
  chain: 'unchecked',
  progress: undefined,
  role: 'standby',
  database: 'answering',
  sources: [],
  groups: [],
  nodes: undefined,
  wrong: new Map(),
}

const read = async (state: ReaderState) => (await (await createMetrics(state)).metrics()).split('\n')

test('behavior: a standby, which asks no node, tells nothing of nodes', async () => {
  const lines = (await read(standby)).filter((line) => line.startsWith('lineage_'))
  expect(lines).toEqual(['lineage_reader_writer 0', 'lineage_reader_database_up 1'])
})

const readDocs = (name: string) => readFileSync(join(import.meta.dirname, '../../../docs', name), 'utf8')

test.each(['full', 'read_only', 'failing'] as const)('behavior: a database that is %s', async (database) => {
  expect(await read({ ...standby, role: 'writer' })).toContain('lineage_reader_writer 1')
  const lines = await read({ ...standby, role: 'writer', database })
  expect(lines).toContain('lineage_reader_writer 0')
  expect(lines).toContain('lineage_reader_database_up 0')
  expect(lines).toContain(`lineage_reader_database_fault{kind="${database}"} 1`)
  const alerts = [...readDocs('alerts.yaml').matchAll(/lineage_reader_database_fault\{kind=~?"([^"]+)"/g)]
  expect(alerts.filter(([, kinds]) => new RegExp(`^(${kinds})$`).test(database))).toHaveLength(1)
})

test.each(['grafana.json', 'alerts.yaml', 'monitoring.md'])('docs/%s names metrics that exist', async (name) => {
  const existing = (await read(standby)).flatMap((line) => /^# TYPE (\w+)/.exec(line)?.[1] ?? [])
  const text = readDocs(name)
  const named = [...new Set(text.match(/\blineage_reader_\w+\b/g))]
  expect(named.length).toBeGreaterThan(1)
  expect(named.filter((one) => !existing.includes(one))).toEqual([])
})
