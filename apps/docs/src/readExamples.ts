import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { extname, join } from 'node:path'

const folder = join(import.meta.dirname, '../../../examples')

type Page = {
  /** Name of the file, and last part of the address. */
  name: string
  title: string
  text: string
}

/** Returns one page per example: its README, then its files. */
export function readExamples(): Page[] {
  const files = execFileSync('git', ['ls-files', '-co', '--exclude-standard'], { cwd: folder, encoding: 'utf8' })
    .trim()
    .split('\n')
  const names = files.flatMap((file) => /^([^/]+)\/README\.md$/.exec(file)?.[1] ?? [])
  return names.map((name) => {
    const own = files.filter((file) => file.startsWith(`${name}/`)).map((file) => file.slice(name.length + 1))
    return writeExample(name, new Map(own.map((file) => [file, readFileSync(join(folder, name, file), 'utf8')])))
  })
}

/** Returns the page of an example, from its files by path. Files in folders come before those beside the README. */
export function writeExample(name: string, texts: ReadonlyMap<string, string>): Page {
  const readme = texts.get('README.md') ?? ''
  const title = /^# (.+)$/m.exec(readme)?.[1]
  if (!title) throw new Error(`examples/${name}/README.md has no title.`)
  const files = [...texts].filter(([file]) => file !== 'README.md')
  const ordered = [...files.filter(([file]) => file.includes('/')), ...files.filter(([file]) => !file.includes('/'))]
  const sections = ordered.map(
    ([file, text]) => `## ${file.replace(/[[\]]/g, '\\$&')}\n\n\`\`\`${languageOf(file)}\n${text}\`\`\``,
  )
  return { name, title, text: [readme.trim(), ...sections].join('\n\n').concat('\n') }
}

const languageOf = (file: string): string => (file.startsWith('.env') ? 'ini' : extname(file).slice(1))
