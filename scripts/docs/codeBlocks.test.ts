import { beforeAll, describe, expect, test } from 'vitest'
import { compileBlocks, isCode, timeLimit } from './compileBlocks.ts'
import { codeBlocks, markdownFiles, readText } from './markdown.ts'

const files = markdownFiles.filter((file) => codeBlocks(readText(file)).some(isCode))
let errors: Map<string, string[]>
beforeAll(() => {
  errors = compileBlocks(new Map(files.map((file) => [file, readText(file)])))
}, timeLimit)

describe('the code of the documentation compiles under strict and exactOptionalPropertyTypes', () => {
  test.each(files)('%s', (file) => expect(errors.get(file)).toEqual([]))
})
