import type { Plugin, Rolldown } from 'vite'
import { paths } from './src/paths.ts'

/** What shows an answer; a path without an address does not need it. */
const views = {
  community: 'community/MemberView',
  metrics: 'metrics/MetricsDetails',
  search: 'search/AddressView',
  referrals: 'referrals/ReferralsView',
  referrers: 'referrers/ReferrersView',
}

/**
 * Lets the browser fetch the scripts of the page asked for while it reads index.html, all at once, instead of finding
 * one after the other: which path needs which of them is known when the app is built.
 */
export function preloadScripts(): Plugin {
  return {
    name: 'preload-scripts',
    apply: 'build',
    transformIndexHtml: {
      order: 'post',
      handler(_, { bundle }) {
        const chunks = Object.values(bundle ?? {}).filter((output) => output.type === 'chunk')
        const files = (...sources: string[]) => filesOf(chunks, sources)
        const first = files('src/main.tsx', '/referral-api/src/schemas')
        const list: Record<string, string[]> = {}
        for (const [name, path] of Object.entries(paths)) {
          const route = `src/routes/${name.replace(/^./, (letter) => letter.toUpperCase())}`
          const page = files(route).filter((file) => !first.includes(file))
          list[path] = page
          list[`${path}?`] = files(route, views[name as keyof typeof views]).filter((file) => !first.includes(file))
        }
        for (const language of ['zh-CN', 'zh-TW', 'en'])
          list[language] = files(`src/locales/${language}.ts`).filter((file) => !first.includes(file))
        return [
          {
            tag: 'script',
            attrs: { nonce: '__NONCE__' },
            children: script(first, list),
            injectTo: 'head' as const,
          },
        ]
      },
    },
  }
}

/** The files of the chunks made of these sources, and of all they import. */
function filesOf(chunks: readonly Rolldown.OutputChunk[], sources: readonly string[]): string[] {
  const reached = new Set(
    sources.map((source) => {
      const found = chunks.find(({ moduleIds }) => moduleIds.some((id) => id.includes(source)))
      if (!found) throw new Error(`No script of the build is made of ${source}.`)
      return found.fileName
    }),
  )
  for (const file of reached)
    for (const imported of chunks.find(({ fileName }) => fileName === file)?.imports ?? []) reached.add(imported)
  return [...reached]
}

const script = (first: readonly string[], list: Record<string, string[]>) => `
;(() => {
  var first = ${JSON.stringify(first)}, list = ${JSON.stringify(list)}
  var isAnswer = location.pathname === '/metrics' || /[?&]address=0x/.test(location.search)
  var files = first.concat(list[document.documentElement.lang], list[location.pathname + (isAnswer ? '?' : '')] || [])
  files.forEach((file) => {
    var link = document.createElement('link')
    link.rel = 'modulepreload'
    link.href = '/' + file
    document.head.append(link)
  })
})()`
