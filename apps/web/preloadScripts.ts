import type { Plugin, Rolldown } from 'vite'
import { paths } from './src/paths.ts'

/** Source of each lookup's view, which is needed only with an address. */
const views = {
  community: 'community/MemberView',
  metrics: 'metrics/MetricsDetails',
  search: 'search/AddressView',
  referrals: 'referrals/ReferralsView',
  referrers: 'referrers/ReferrersView',
}

/**
 * Adds a script to index.html that preloads all scripts of the requested page at once, instead of one after the other.
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

/** Returns the files of the chunks that contain these sources, with all their imports. */
function filesOf(chunks: readonly Rolldown.OutputChunk[], sources: readonly string[]): string[] {
  const reached = new Set(
    sources.map((source) => {
      const found = chunks.find(({ moduleIds }) => moduleIds.some((id) => id.includes(source)))
      if (!found) throw new Error(`No script of the build contains ${source}. Was the file renamed?`)
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
