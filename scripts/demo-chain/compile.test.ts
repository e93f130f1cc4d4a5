import { readFile } from 'node:fs/promises'
import { type Abi, toEventSelector, toFunctionSelector } from 'viem'
import { expect, test } from 'vitest'
import { artifactFile, compile } from './compile.ts'
import { communityAbi } from './contract.ts'

const committed = JSON.parse(await readFile(artifactFile, 'utf8')) as { abi: Abi }

test('the committed artifact is what the source compiles to', async () => {
  expect(committed).toEqual(await compile())
})

test('every entry of the written ABI is in the compiled one', () => {
  const selectors = (abi: Abi) =>
    abi.flatMap((item) => {
      if (item.type === 'event') return [`event ${toEventSelector(item)}`]
      return item.type === 'function' ? [`function ${toFunctionSelector(item)}`] : []
    })
  expect(selectors(committed.abi)).toEqual(expect.arrayContaining(selectors(communityAbi)))
})
