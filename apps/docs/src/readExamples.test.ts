import { expect, test } from 'vitest'
import { readExamples, writeExample } from './readExamples.ts'

test('behavior: the README of an example, then its files', () => {
  const texts = new Map([
    ['README.md', '# An app\n\nIt connects.\n'],
    ['.env.development', 'ORIGIN=http://localhost:3000\n'],
    ['app/[id]/page.tsx', 'export default 1\n'],
  ])
  expect(writeExample('app', texts)).toEqual({
    name: 'app',
    title: 'An app',
    text: `# An app

It connects.

## app/\\[id\\]/page.tsx

\`\`\`tsx
export default 1
\`\`\`

## .env.development

\`\`\`ini
ORIGIN=http://localhost:3000
\`\`\`
`,
  })
})

test('error: a README without a title is named', () =>
  expect(() => writeExample('app', new Map([['README.md', 'An app']]))).toThrow('examples/app/README.md has no title.'))

test('behavior: every example has a page with its code', () => {
  const pages = readExamples()
  expect(pages.length).toBeGreaterThan(5)
  for (const { name, text } of pages) expect(text, name).toContain('@lineage/wallet-kit/')
})
