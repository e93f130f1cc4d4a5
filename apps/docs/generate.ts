/** Writes the generated pages: the stories of the kit, the reference from its TSDoc, and the examples. */
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { readExamples } from './src/readExamples.ts'
import { writeReference } from './src/writeReference.ts'
import { listStories, writeStates } from './src/writeStates.ts'

const kit = join(import.meta.dirname, '../../packages/wallet-kit')
const pages = join(import.meta.dirname, 'pages')

writeFileSync(join(pages, 'states.md'), writeStates(await listStories()))

const examples = join(pages, 'examples')
rmSync(examples, { recursive: true, force: true })
mkdirSync(examples, { recursive: true })
for (const { name, text } of readExamples()) writeFileSync(join(examples, `${name}.md`), text)

await writeReference(kit, join(pages, 'api'))
