import { globSync, readFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'

/** A story: one state of a component, with its address in Storybook. */
export type Story = { title: string; name: string; id: string }

/** Lists the stories below a folder, in the order of their files. */
export function listStories(folder: string): Story[] {
  return globSync('**/*.stories.tsx', { cwd: folder })
    .sort((a, b) => (a < b ? -1 : 1))
    .flatMap((file) =>
      readStories(readFileSync(join(folder, file), 'utf8'), `${basename(dirname(file))}/${basename(file)}`),
    )
}

/** Reads the stories of a file. @throws when it has no title */
export function readStories(text: string, file: string): Story[] {
  const title = /^ {2}title: '([^']+)'/m.exec(text)?.[1]
  if (title === undefined) throw new Error(`${file} has no title. Write title: '…' on a line of its own.`)
  const names = [...text.matchAll(/^export const (\w+): Story\w*/gm)].map(([, name = '']) => name)
  return names.map((name) => ({ title, name: toWords(name), id: `${toId(title)}--${toId(toWords(name))}` }))
}

const toWords = (name: string) => name.replace(/([a-z0-9])([A-Z])/g, '$1 $2').replace(/([A-Z])([A-Z][a-z])/g, '$1 $2')

/** Converts a title to a part of an address, like Storybook does. */
const toId = (text: string) =>
  text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '-')
    .replace(/^-|-$/g, '')
