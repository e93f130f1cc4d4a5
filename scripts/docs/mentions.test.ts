import { statSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { markdownFiles, readText, root, withoutCode } from './markdown.ts'
import { brokenLinks, namesIn, pathsIn, placesOf, scriptsIn } from './mentions.ts'

const { scripts } = JSON.parse(readText('package.json')) as { scripts: Record<string, string> }

describe.each(markdownFiles)('%s', (file) => {
  const text = readText(file)

  test('behavior: has no broken links', () => expect(brokenLinks(file)).toEqual([]))

  test('behavior: names existing files and folders', () =>
    expect(pathsIn(withoutCode(text)).filter((path) => placesOf(path).length === 0)).toEqual([]))

  test('behavior: names existing scripts', () =>
    expect(scriptsIn(text).filter((name) => !Object.hasOwn(scripts, name))).toEqual([]))
})

/** The numbered steps of the trails in CONTRIBUTING, each as one text. */
const steps = readText('CONTRIBUTING.md')
  .split(/^## /m)
  .filter((section) => section.startsWith('The trail of'))
  .flatMap((section) => section.split(/^(?=\d\. )/m).slice(1))

test('behavior: CONTRIBUTING has two trails', () => expect(steps.length).toBeGreaterThan(8))

test.each(steps)('behavior: the files of a step contain the names that it mentions: %s', (step) => {
  const files = pathsIn(step)
    .flatMap(placesOf)
    .filter((place) => statSync(join(root, place)).isFile())
  expect(files).not.toEqual([])
  const code = files.map(readText).join('\n')
  expect(namesIn(step).filter((name) => !new RegExp(`\\b${name}\\b`).test(code))).toEqual([])
})
