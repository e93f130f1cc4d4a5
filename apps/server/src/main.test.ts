import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { ask } from '../test/serve.ts'
import { freePort, startUpstream } from '../test/upstream.ts'

const children: ChildProcess[] = []
afterEach(() => {
  for (const child of children.splice(0)) child.kill('SIGKILL')
})

function start(variables: Record<string, string>) {
  const child = fork(join(import.meta.dirname, 'main.ts'), {
    execArgv: ['--conditions=@lineage/source'],
    env: {
      PATH: process.env.PATH ?? '',
      LINEAGE_RPC_URLS: 'http://127.0.0.1:1',
      LINEAGE_SESSION_SECRET: 'a secret for tests, of thirty-two bytes',
      LINEAGE_WEB_DIR: 'none',
      ...variables,
    },
    stdio: 'pipe',
  })
  children.push(child)
  let errors = ''
  child.stderr?.on('data', (chunk) => {
    errors += chunk
  })
  return { child, errors: () => errors, exited: once(child, 'exit'), closed: once(child, 'close') }
}

test.each<[string, (child: ChildProcess) => void]>([
  ['SIGTERM', (child) => child.kill('SIGTERM')],
  ['SIGINT', (child) => child.kill('SIGINT')],
  ['a parent that is gone', (child) => child.disconnect()],
])('behavior: says that it listens, ends well on %s', async (_, act) => {
  const PORT = String(await freePort())
  const { child, exited } = start({ PORT })
  expect((await once(child, 'message'))[0]).toEqual({ type: 'listening', port: Number(PORT) })
  child.send({ type: 'progress', progress: { phase: 'chain', done: 1, total: 2 }, note: null })
  await expect
    .poll(async () => JSON.parse((await ask(`http://127.0.0.1:${PORT}`, '/v1/status')).body.toString()).state)
    .toBe('indexing')
  act(child)
  expect(await exited).toEqual([0, null])
})

test('error: a taken port is named with what to set', async () => {
  const { port, close } = await startUpstream((_, response) => response.end())
  const { errors, closed } = start({ PORT: String(port) })
  expect((await closed)[0]).toBe(1)
  expect(errors()).toBe(
    `Port ${port} is taken by another program. Set PORT to a free one, for example PORT=${port + 1}.\n`,
  )
  await close()
})

test.each([
  ['settings', { LINEAGE_RPC_URLS: '' }, /^LINEAGE_RPC_URLS is missing: [^\n]*\n$/],
  ['build', { LINEAGE_WEB_DIR: '/nowhere' }, /^The web app is not built: [^\n]*\n$/],
])('error: without %s, one clear sentence', async (_, variables, message) => {
  const { errors, closed } = start(variables)
  expect((await closed)[0]).toBe(1)
  expect(errors()).toMatch(message)
})
