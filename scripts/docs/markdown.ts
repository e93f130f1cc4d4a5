import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

export const root = join(import.meta.dirname, '../..')

/** All files of the repository that git does not ignore, by path from the root. */
export const repositoryFiles = execFileSync('git', ['ls-files', '-co', '--exclude-standard'], {
  cwd: root,
  encoding: 'utf8',
})
  .trim()
  .split('\n')

/** All Markdown and MDX files of the repository, except changelogs and intents of releases, which name old files. */
export const markdownFiles = repositoryFiles.filter(
  (file) => /\.mdx?$/.test(file) && !/CHANGELOG\.md$|^\.changeset\//.test(file),
)

export const readText = (file: string): string => readFileSync(join(root, file), 'utf8')

export type CodeBlock = {
  /** The line of its first code line, from 1. */
  line: number
  language: string
  code: string
  /** The code of a comment `<!-- ts: … -->` before the block, or one of MDX, with declarations that a fragment leaves out. */
  preamble: string
}

export function codeBlocks(text: string): CodeBlock[] {
  const fenced = /(?:(?:<!--|\{\/\*) ts:([\s\S]*?)(?:-->|\*\/\})\s*)?^```(\w*)\n([\s\S]*?)^```$/gm
  return [...text.matchAll(fenced)].map(({ 0: whole, 1: preamble = '', 2: language = '', 3: code = '', index }) => ({
    line: text.slice(0, index + whole.indexOf(`\`\`\`${language}\n`)).split('\n').length + 1,
    language,
    code,
    preamble: preamble.trim(),
  }))
}

/** Returns the text without its fenced code blocks and comments. */
export const withoutCode = (text: string): string =>
  text.replace(/^```[\s\S]*?^```$/gm, '').replace(/<!--[\s\S]*?-->/g, '')

/** Returns the contents of code spans. */
export const codeSpans = (text: string): string[] => [...text.matchAll(/`([^`\n]+)`/g)].map(([, span = '']) => span)

/** Returns the rows of the first table whose header begins with these cells; each cell as plain Markdown. */
export function tableRows(text: string, ...header: string[]): string[][] {
  const rows = text.split('\n').map((line) =>
    line.startsWith('|')
      ? line
          .slice(1, -1)
          .split(/(?<!\\)\|/)
          .map((cell) => cell.trim())
      : undefined,
  )
  const start = rows.findIndex((row) => row && header.every((cell, index) => row[index] === cell))
  if (start < 0) throw new Error(`There is no table with the header ${header.join(', ')}.`)
  const rest = rows.slice(start + 2)
  const end = rest.indexOf(undefined)
  return rest.slice(0, end < 0 ? undefined : end).filter((row) => row !== undefined)
}
