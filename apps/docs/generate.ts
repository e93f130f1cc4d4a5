/**
 * Writes the generated pages: the sections of the kit's README, its stories, the reference from its TSDoc, and the
 * examples.
 */
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { readExamples } from './src/readExamples.ts'
import { splitReadme } from './src/splitReadme.ts'
import { writeReference } from './src/writeReference.ts'
import { listStories, writeStates } from './src/writeStates.ts'

const kit = join(import.meta.dirname, '../../packages/wallet-kit')
const pages = join(import.meta.dirname, 'pages')

const sections = join(pages, 'kit')
rmSync(sections, { recursive: true, force: true })
mkdirSync(sections, { recursive: true })
for (const { name, text } of splitReadme(readFileSync(join(kit, 'README.md'), 'utf8'), '/kit'))
  writeFileSync(join(sections, `${name}.md`), text)
writeFileSync(join(sections, 'states.md'), writeStates(await listStories()))

const examples = join(pages, 'examples')
rmSync(examples, { recursive: true, force: true })
mkdirSync(examples, { recursive: true })
for (const { name, text } of readExamples()) writeFileSync(join(examples, `${name}.md`), text)

await writeReference(kit, join(pages, 'api'))
