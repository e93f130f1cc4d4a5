import { globSync, readFileSync } from 'node:fs'
import { basename, extname, join } from 'node:path'
import { expect, test } from 'vitest'
import { shownLater } from '../chunks.ts'

const root = join(import.meta.dirname, '../src')
const files = globSync('**/*.{ts,tsx}', { cwd: root }).filter((file) => !/\.(test|stories)\./.test(file))
const nameOf = (file: string) => basename(file, extname(file))

/** Returns the modules that a file loads when it is loaded itself. */
function readImports(file: string): string[] {
  const text = readFileSync(join(root, file), 'utf8')
  return [...text.matchAll(/^(?:import|export) (?!type )([^'"]*?) from ['"](\.[^'"]+)['"]/gm)].flatMap(
    ([, names = '', path = '']) => {
      const areTypes = /^\{(\s*type [^,}]+,?)+\s*\}$/.test(names)
      return areTypes ? [] : [join(file, '..', path)]
    },
  )
}

test('behavior: each name of what is shown later is that of a module', () => {
  expect(shownLater.filter((name) => !files.some((file) => nameOf(file) === name))).toEqual([])
})

test('behavior: what is shown later is imported only by others that are, or on demand', () => {
  const others = files.filter((file) => file !== 'server.tsx' && !shownLater.includes(nameOf(file)))
  const early = others.flatMap((file) =>
    readImports(file).flatMap((path) => (shownLater.includes(nameOf(path)) ? [`${file} imports ${path}`] : [])),
  )
  expect(early).toEqual([])
})
