import { join } from 'node:path'
import { defineConfig } from '@rspress/core'
import { readExamples } from './src/readExamples.ts'
import { addressOf, readEntries } from './src/writeReference.ts'

const kit = join(import.meta.dirname, '../../packages/wallet-kit')

type Group = { text: string; items: { text: string; link: string }[] }

/**
 * Returns the groups of the sidebar: the pages of the kit, the guides, the examples, and the entries of the reference.
 */
function readSidebar(): Group[] {
  return [
    {
      text: 'The kit',
      items: [
        { text: 'Start', link: '/kit/start' },
        { text: 'Hooks', link: '/kit/hooks' },
        { text: 'wagmi', link: '/kit/wagmi' },
        { text: 'The button', link: '/kit/the-button' },
        { text: 'Theme', link: '/kit/theme' },
        { text: 'Wallets', link: '/kit/wallets' },
        { text: 'Names', link: '/kit/names' },
        { text: 'Languages', link: '/kit/languages' },
        { text: 'Transactions', link: '/kit/transactions' },
        { text: 'Sign-in', link: '/kit/sign-in' },
        { text: 'Without components', link: '/kit/without-components' },
        { text: 'The connect dialog as a table', link: '/kit/the-connect-dialog-as-a-table' },
        { text: 'Test your app', link: '/kit/test-your-app' },
      ],
    },
    {
      text: 'Guides',
      items: [
        { text: 'Dialogs of your own', link: '/guide/headless' },
        { text: 'Server rendering', link: '/guide/server-rendering' },
        { text: 'Content security policy', link: '/guide/content-security-policy' },
        { text: 'Bundlers and test runners', link: '/guide/bundlers' },
        { text: 'Migration', link: '/guide/migration' },
        { text: 'Troubleshooting', link: '/guide/troubleshooting' },
        { text: 'States of the dialogs', link: '/states' },
        { text: '简体中文', link: '/zh-CN' },
      ],
    },
    { text: 'Examples', items: readExamples().map(({ name, title }) => ({ text: title, link: `/examples/${name}` })) },
    { text: 'Reference', items: readEntries(kit).map((name) => ({ text: addressOf(name), link: `/api/${name}` })) },
  ]
}

/** Returns the index of the pages for language models. @see https://llmstxt.org */
function writeIndex(groups: readonly Group[], title: string, description: string): string {
  const sections = groups.map(
    ({ text, items }) => `## ${text}\n\n${items.map((it) => `- [${it.text}](${it.link}.md)`).join('\n')}`,
  )
  return [`# ${title}`, `> ${description}`, ...sections].join('\n\n').concat('\n')
}

const title = '@lineage/wallet-kit'
const description = 'Connect a wallet: a button, its dialogs, and everything below them, on viem'
const sidebar = readSidebar()

export default defineConfig({
  root: 'pages',
  outDir: 'dist',
  title,
  description,
  lang: 'en',
  search: { codeBlocks: true },
  llms: { llmsTxt: () => writeIndex(sidebar, title, description) },
  // Pages link to files, which GitHub follows. From these, pages are generated; Rspress follows links between the others.
  replaceRules: [
    { search: /\]\((?:\.\.\/)+examples\/([\w-]+)\/README\.md\)/g, replace: '](/examples/$1)' },
    { search: /\]\((?:\.\.\/)+packages\/wallet-kit\/src\/exports\)/g, replace: '](/api/entries)' },
    { search: /\]\((?:\.\.\/)+packages\/wallet-kit\/src\/react\/About\.mdx\)/g, replace: '](/states)' },
  ],
  markdown: { link: { checkDeadLinks: true, checkAnchors: true } },
  themeConfig: {
    nav: [
      { text: 'Start', link: '/kit/start' },
      { text: 'Migration', link: '/guide/migration' },
      { text: 'Reference', link: '/api/entries' },
      { text: '简体中文', link: '/zh-CN' },
    ],
    sidebar: { '/': sidebar },
    // The links of this feature lead to assistants on other hosts.
    llmsUI: false,
  },
})
