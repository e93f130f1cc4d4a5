import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { readExamples } from './readExamples.ts'
import { splitReadme } from './splitReadme.ts'
import { addressOf, readEntries } from './writeReference.ts'

const kit = join(import.meta.dirname, '../../../packages/wallet-kit')

type Group = { text: string; items: { text: string; link: string }[] }

/**
 * Returns the groups of the sidebar: the sections of the kit's README, the guides, the examples, and the entries of
 * the reference.
 */
export function readSidebar(): Group[] {
  const sections = splitReadme(readFileSync(join(kit, 'README.md'), 'utf8'), '/kit')
  return [
    { text: 'The kit', items: sections.map(({ name, title }) => ({ text: title, link: `/kit/${name}` })) },
    {
      text: 'Guides',
      items: [
        { text: 'Dialogs of your own', link: '/guide/headless' },
        { text: 'Server rendering', link: '/guide/server-rendering' },
        { text: 'Content security policy', link: '/guide/content-security-policy' },
        { text: 'Bundlers and test runners', link: '/guide/bundlers' },
        { text: 'Migration', link: '/guide/migration' },
        { text: 'Troubleshooting', link: '/guide/troubleshooting' },
        { text: 'States of the dialogs', link: '/kit/states' },
        { text: '简体中文', link: '/zh-CN' },
      ],
    },
    { text: 'Examples', items: readExamples().map(({ name, title }) => ({ text: title, link: `/examples/${name}` })) },
    { text: 'Reference', items: readEntries(kit).map((name) => ({ text: addressOf(name), link: `/api/${name}` })) },
  ]
}

/** Returns the index of the pages for language models. @see https://llmstxt.org */
export function writeIndex(groups: readonly Group[], title: string, description: string): string {
  const sections = groups.map(
    ({ text, items }) => `## ${text}\n\n${items.map((it) => `- [${it.text}](${it.link}.md)`).join('\n')}`,
  )
  return [`# ${title}`, `> ${description}`, ...sections].join('\n\n').concat('\n')
}
