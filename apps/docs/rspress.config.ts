import { defineConfig } from '@rspress/core'
import { readSidebar, writeIndex } from './src/readSidebar.ts'

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
