import { expect, test } from 'vitest'
import { splitReadme } from './splitReadme.ts'

const readme = `# Kit

See [tabs](#two-tabs).

## Start

Read [tabs](#two-tabs), [more](#more), [an app](../../examples/next) and [viem](https://viem.sh).

\`\`\`sh
## no heading, no [link](#more)
\`\`\`

<!-- ts: declare const a: string -->
### Two tabs

## More

[Start](#start), [a guide](../../apps/docs/pages/guide/migration.md), [a part](../../apps/docs/pages/guide/migration.md#names)
`

test('behavior: each section is a page, and links to headings, examples and guides lead to pages', () => {
  expect(splitReadme(readme, '/kit')).toEqual([
    {
      name: 'start',
      title: 'Start',
      text: `# Start

Read [tabs](/kit/start#two-tabs), [more](/kit/more), [an app](/examples/next) and [viem](https://viem.sh).

\`\`\`sh
## no heading, no [link](#more)
\`\`\`

## Two tabs
`,
    },
    {
      name: 'more',
      title: 'More',
      text: '# More\n\n[Start](/kit/start), [a guide](/guide/migration), [a part](/guide/migration#names)\n',
    },
  ])
})

test('behavior: a link to a heading that is missing is left, for the check of links to report', () => {
  expect(splitReadme('## A\n[b](#b)', '/kit')).toEqual([{ name: 'a', title: 'A', text: '# A\n[b](#b)' }])
})
