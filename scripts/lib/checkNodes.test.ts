import { afterEach, expect, test } from 'vitest'
import { checkNodes } from './checkNodes.ts'
import { createCleanUp } from './testing.ts'

const made = createCleanUp()
afterEach(made.cleanUp)

const node = async (body: string) => `http://127.0.0.1:${await made.server((_, response) => response.end(body))}/secret`
const answering = (result: unknown) => node(JSON.stringify({ jsonrpc: '2.0', id: 1, result }))
const nobody = 'http://127.0.0.1:1/secret'

test('behavior: returns the host of a node that does not answer', async () => {
  expect(await checkNodes([await answering('0x38'), nobody])).toEqual(['127.0.0.1:1'])
})

test('error: a node of another chain', async () => {
  const urls = [await answering('0x38'), await answering('0x1')]
  await expect(checkNodes(urls)).rejects.toThrow(/is a node of chain 1, not of BNB Smart Chain \(56\)/)
})

test.each(['<html>', 'null', '{"error":{}}'])('error: a node that answers only %s', async (body) => {
  const failing = checkNodes([await node(body), nobody])
  await expect(failing).rejects.toThrow(/^No node answers: /)
  await expect(failing).rejects.not.toThrow(/secret/)
})
