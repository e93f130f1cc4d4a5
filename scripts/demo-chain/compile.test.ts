import { readFile } from 'node:fs/promises'
import { type Abi, toEventSelector, toFunctionSelector } from 'viem'
import { expect, test } from 'vitest'
import { artifactFile, compile, contractNames } from './compile.ts'
import { communityAbi } from './contract.ts'

const read = async (file: URL) => JSON.parse(await readFile(file, 'utf8')) as { abi: Abi }

test.each(contractNames)('behavior: the committed artifact of %s equals the compiled source', async (name) => {
  expect(await read(artifactFile(name))).toEqual(await compile(name))
})

test('behavior: every entry of the written ABI is in the compiled one', async () => {
  const committed = await read(artifactFile('Community'))
  const selectors = (abi: Abi) =>
    abi.flatMap((item) => {
      if (item.type === 'event') return [`event ${toEventSelector(item)}`]
      return item.type === 'function' ? [`function ${toFunctionSelector(item)}`] : []
    })
  expect(selectors(committed.abi)).toEqual(expect.arrayContaining(selectors(communityAbi)))
})
