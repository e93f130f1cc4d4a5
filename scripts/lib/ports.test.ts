import { afterEach, expect, test } from 'vitest'
import { isTaken, nextFree, portsMessage } from './ports.ts'
import { createCleanUp } from './testing.ts'

const made = createCleanUp()
afterEach(made.cleanUp)

test.each(['127.0.0.1', '0.0.0.0', '::'])('behavior: notices a program that listens on %s', async (host) => {
  const port = await made.server(undefined, host)
  expect(await isTaken(port)).toBe(true)
  await made.cleanUp()
  expect(await isTaken(port)).toBe(false)
})

test('behavior: free ports need no message', async () => {
  const port = await nextFree(20_000)
  const api = await nextFree(port + 1)
  expect(
    await portsMessage([
      { variable: 'PORT', port, purpose: 'the page' },
      { variable: 'LINEAGE_READER_PORT', port: api, purpose: 'the reader' },
    ]),
  ).toBeUndefined()
})

test('behavior: a taken port is named, with a command that works', async () => {
  const taken = await made.server()
  const free = await nextFree(20_000, [taken])
  const message = await portsMessage([
    { variable: 'PORT', port: taken, purpose: 'the page' },
    { variable: 'LINEAGE_READER_PORT', port: free, purpose: 'the reader' },
  ])
  expect(message).toMatch(`Port ${taken}, for the page (PORT), is taken by another program.`)
  const [, page, api] = /PORT=(\d+) LINEAGE_READER_PORT=(\d+) npm start/.exec(message ?? '') ?? []
  expect(Number(api)).toBe(free)
  expect(Number(page)).toBeGreaterThan(taken)
  expect(await isTaken(Number(page))).toBe(false)
})

test('error: the same port twice', async () => {
  expect(
    await portsMessage([
      { variable: 'PORT', port: 20_000, purpose: 'the page' },
      { variable: 'RPC_PORT', port: 20_000, purpose: 'the demo chain' },
    ]),
  ).toBe('PORT and RPC_PORT are both 20000. Give each its own.')
})
