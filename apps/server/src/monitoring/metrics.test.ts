import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { warning } from '@lineage/referral-api/schemas'
import { afterEach, expect, test } from 'vitest'
import { ask, serve } from '../../test/serve.ts'
import { closed, closedPort, portOf, startUpstream } from '../../test/upstream.ts'
import { bind } from '../follow/test/tables.ts'
import { createMetrics, listenMetrics } from './metrics.ts'

const closing: (() => unknown)[] = []
afterEach(async () => {
  for (const close of closing.splice(0)) await close()
})

const now = () => Math.floor(Date.now() / 1_000)

/** Serves the app with metrics and a community of three members. Returns the lines that are not comments. */
async function start(state: 'ready' | 'starting' = 'ready') {
  const metrics = createMetrics()
  const events = [bind(1, 1, 0), bind(2, 2, 1), bind(3, 3, 1)]
  const step = state === 'ready' ? { block: 90, time: now() - 30, events } : null
  const served = await serve({ metrics, note: metrics.noteRequest, step })
  const server = listenMetrics(metrics, { host: '127.0.0.1', port: 0 })
  await expect.poll(() => server.listening).toBe(true)
  closing.push(served.close, () => closed(server))
  const metricsUrl = `http://127.0.0.1:${portOf(server)}`
  const read = async () => (await ask(metricsUrl, '/metrics')).body.toString().split('\n')
  return { ...served, metricsUrl, read }
}

test('behavior: metrics of requests, the index and the server are on a port of their own', async () => {
  const { url, metricsUrl, read, tables, accounts } = await start()
  await tables.report({
    headBlock: 100,
    warnings: [{ kind: 'node_silent', node: 'node 1 (a.example)', community: null, message: 'Silent.' }],
    spotChecks: [{ community: 'demo', checked: 30, differing: 2, unreadable: 3, example: null }],
  })
  await expect.poll(read).toContain('lineage_head_block 100')
  expect(await read()).toContain('lineage_community_members{community="demo"} 3')
  await ask(url, '/v1/communities')
  await ask(url, '/v1/rpc', { method: 'POST', body: '{}' })
  expect((await ask(url, '/metrics')).status).toBe(404)
  expect(await read()).toContain('lineage_accounts_up 0')
  await accounts.findSession('')
  const lines = await read()
  expect(lines).toEqual(
    expect.arrayContaining([
      'lineage_request_duration_seconds_count{route="/v1/communities",status="200"} 1',
      'lineage_request_duration_seconds_count{route="/v1/rpc",status="415"} 1',
      'lineage_index_ready 1',
      'lineage_index_block 90',
      'lineage_head_block 100',
      'lineage_warning{kind="node_silent",node="node 1 (a.example)",community=""} 1',
      'lineage_spot_checks{community="demo",outcome="compared"} 30',
      'lineage_spot_checks{community="demo",outcome="differing"} 2',
      'lineage_spot_checks{community="demo",outcome="unreadable"} 3',
      'lineage_lookups_in_flight 0',
      'lineage_sheds_total 0',
      'lineage_accounts_up 1',
    ]),
  )
  const age = Number(lines.find((line) => line.startsWith('lineage_index_age_seconds '))?.split(' ')[1])
  expect(age).toBeGreaterThanOrEqual(30)
  expect(age).toBeLessThan(90)
  expect((await ask(metricsUrl, '/v1/communities')).status).toBe(404)
})

test('behavior: while nothing is indexed there is no age to be mistaken for a good one', async () => {
  const { read } = await start('starting')
  const lines = await read()
  expect(lines).toContain('lineage_index_ready 0')
  expect(lines.filter((line) => /^lineage_(index_age|index_block|community_members|spot_checks)/.test(line))).toEqual(
    [],
  )
})

test('behavior: answers and failures of nodes are counted by node', async () => {
  const metrics = createMetrics()
  const node = await startUpstream((_, response) => response.end('{"id":0,"result":"0x38"}'))
  const rpcUrls = [`http://127.0.0.1:${closedPort}/k3y`, node.url]
  const served = await serve({ metrics, settings: { rpcUrls } })
  closing.push(served.close, node.close)
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'eth_chainId' })
  await ask(served.url, '/v1/rpc', { method: 'POST', body, headers: { 'content-type': 'application/json' } })
  const { text } = await metrics.read()
  expect(text).toContain(
    `lineage_node_request_duration_seconds_count{node="Node 1 (127.0.0.1:${closedPort})",outcome="failed"} 1`,
  )
  expect(text).toContain(
    `lineage_node_request_duration_seconds_count{node="Node 2 (127.0.0.1:${node.port})",outcome="answered"} 1`,
  )
  expect(text).not.toContain('k3y')
})

/** The lines of one server, for all files that name metrics. */
let lines: Promise<string[]> | undefined
const readOnce = () => (lines ??= start().then(({ read }) => read()))

test.each(['grafana.json', 'alerts.yaml', 'monitoring.md'])('docs/%s names metrics that exist', async (name) => {
  const existing = new Set((await readOnce()).flatMap((line) => /^# TYPE (\w+)/.exec(line)?.[1] ?? []))
  const text = readFileSync(join(import.meta.dirname, '../../../../docs', name), 'utf8')
  const named = [...new Set(text.match(/\b(lineage|nodejs|process)_[a-z0-9_]+\b/g))].filter(
    (one) => !one.startsWith('lineage_reader_'),
  )
  expect(named.length).toBeGreaterThan(5)
  expect(named.filter((one) => !existing.has(one.replace(/_(bucket|sum|count)$/, '')))).toEqual([])
})

test.each(['grafana.json', 'monitoring.md'])('docs/%s shows every metric of our own', async (name) => {
  const own = (await readOnce()).flatMap((line) => /^# TYPE (lineage_\w+)/.exec(line)?.[1] ?? [])
  const text = readFileSync(join(import.meta.dirname, '../../../../docs', name), 'utf8')
  expect(own.length).toBeGreaterThan(15)
  expect(own.filter((one) => !text.includes(one))).toEqual([])
})

test('behavior: each warning that an operator must act on has an alert', () => {
  const text = readFileSync(join(import.meta.dirname, '../../../../docs/alerts.yaml'), 'utf8')
  const kinds = [...text.matchAll(/lineage_warning\{kind=~"([^"]+)"/g)].map(([, kinds]) => new RegExp(`^(${kinds})$`))
  const silent = warning.shape.kind.options.filter((kind) => !kinds.some((one) => one.test(kind)))
  // Three have metrics of their own, and a community without "parent" is unconfirmed for good.
  expect(silent).toEqual(['referrers_differ', 'order_unconfirmed', 'reader_silent', 'accounts_unavailable'])
})
