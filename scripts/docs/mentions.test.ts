import { existsSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { codeSpans, markdownFiles, readText, repositoryFiles, root, withoutCode } from './markdown.ts'

const { scripts } = JSON.parse(readText('package.json')) as { scripts: Record<string, string> }

describe.each(markdownFiles)('%s', (file) => {
  const text = readText(file)

  test('behavior: has no broken links', () => expect(brokenLinks(file)).toEqual([]))

  test('behavior: names existing files and folders', () =>
    expect(pathsIn(withoutCode(text)).filter((path) => placesOf(path).length === 0)).toEqual([]))

  test('behavior: names existing scripts', () =>
    expect(scriptsIn(text).filter((name) => !Object.hasOwn(scripts, name))).toEqual([]))

  test('behavior: runs the scripts whose names are also commands of pnpm with `pnpm run`', () =>
    expect(text.match(/\bpnpm (docs|licences)\b(?!:)/g) ?? []).toEqual([]))
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

/** All files and folders of the repository, with a slash before and after. */
const places = [
  ...new Set(
    repositoryFiles.flatMap((file) =>
      file.split('/').map((_, index, parts) => `/${parts.slice(0, index + 1).join('/')}/`),
    ),
  ),
]

/** Returns whether a code span is a path that must exist, unlike build output and files of a reader's Next app. */
const isPath = (span: string): boolean =>
  !/\bdist\b|^app\//.test(span) &&
  (/^(packages|apps|examples|scripts|docs|\.storybook)(\/[\w@.-]+)*\/?$/.test(span) ||
    /^[\w@-][\w@./-]*\.(ts|tsx|mjs|mdx|md|sol)$/.test(span))

/** Returns the files and folders that code spans name, by a path or by its end, such as `react/ConnectButton.tsx`. */
const pathsIn = (text: string): string[] => codeSpans(text).filter(isPath)

/** Returns the places of the repository that a path matches; `xx` in a file name stands for any language. */
function placesOf(path: string): string[] {
  const end = `/${path.replace(/\/$/, '')}/`.replaceAll('.', '\\.').replace('xx\\.', '[\\w-]+\\.')
  return places.filter((place) => new RegExp(`${end}$`).test(place)).map((place) => place.slice(1, -1))
}

/** Returns the names in code spans that are not paths, without quoted text: `kit.connect()` has `kit` and `connect`. */
const namesIn = (text: string): string[] =>
  codeSpans(text)
    .filter((span) => !isPath(span))
    .flatMap((span) => span.replace(/'[^']*'/g, '').match(/[A-Za-z_]\w+/g) ?? [])

/**
 * Returns the links that lead to no file of the repository, or to no heading of it. Addresses of the site, such as
 * `/kit/start`, lead nowhere on GitHub. The build of the documentation checks links to stories.
 */
function brokenLinks(file: string): string[] {
  return [...withoutCode(readText(file)).matchAll(/\]\(([^)\s]+)\)|src="([^"]+)"/g)]
    .map(([, link, source]) => link ?? source ?? '')
    .filter((link) => !/^(https?:|mailto:|\?path=)/.test(link))
    .filter((link) => {
      const [path = '', anchor] = link.split('#')
      const target = path === '' ? file : join(dirname(file), path)
      return !existsSync(join(root, target)) || (anchor !== undefined && !anchorsOf(target).includes(anchor))
    })
}

/** Returns the anchors of headings, as GitHub makes them. */
const anchorsOf = (file: string): string[] =>
  [...withoutCode(readText(file)).matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\s_-]/gu, '')
      .trim()
      .replaceAll(' ', '-'),
  )

/** Returns the scripts of package.json that a text runs with pnpm or npm. */
const scriptsIn = (text: string): string[] => [
  ...[...text.matchAll(/\bpnpm (?:run )?([a-z]+(?::[a-z]+)*)/g)]
    .map(([, name = '']) => name)
    .filter((name) => !['add', 'change', 'exec', 'install', 'version'].includes(name)),
  ...[...text.matchAll(/\bnpm (?:run )?(start|test)\b/g)].map(([, name = '']) => name),
]
