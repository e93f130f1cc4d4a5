import { createServer, type Plugin } from 'vite'
import { paths } from './src/paths.ts'

/**
 * Prerenders the first paint of each page into its HTML, which is shown until the app has loaded. Each language has
 * one template without an address and one with an address.
 */
export function firstPaint(): Plugin {
  return {
    name: 'first-paint',
    apply: 'build',
    enforce: 'post',
    async generateBundle(_, bundle) {
      const index = bundle['index.html']
      if (index?.type !== 'asset') throw new Error('The build has no index.html.')
      const html = String(index.source)
      for (const [path, picture] of await paintAll()) {
        const source = html
          .replace('</head>', () => `<style nonce="__NONCE__">${picture.css}${notYet}</style></head>`)
          .replace('<div id="root"></div>', (root) => root + picture.templates + script(path))
        if (path === paths.community) index.source = source
        else this.emitFile({ type: 'asset', fileName: `${path.slice(1)}.html`, source })
      }
    },
  }
}

/** Shows that buttons do not work yet. */
const notYet = '#root button[inert]{opacity:.5}'

type Picture = { templates: string; css: string }

async function paintAll(): Promise<Map<string, Picture>> {
  const server = await createServer({
    configFile: false,
    root: import.meta.dirname,
    appType: 'custom',
    logLevel: 'error',
    server: { middlewareMode: true, hmr: false, ws: false, watch: null },
    optimizeDeps: { noDiscovery: true },
    ssr: {
      // The Node build is CommonJS, and Vite does not find its named exports.
      noExternal: ['react-router-dom', 'react-router'],
      resolve: { conditions: ['@lineage/source', 'module', 'production'] },
    },
  })
  try {
    const { paint } = (await server.ssrLoadModule('/src/firstPaint.tsx')) as typeof import('./src/firstPaint.tsx')
    const pictures = new Map<string, Picture>()
    for (const path of Object.values(paths)) {
      const styles = new Set<string>()
      const templates: string[] = []
      for (const [state, search] of [
        ['', ''],
        ['-answer', `?address=0x${'0'.repeat(40)}`],
      ] as const)
        for (const [language, html] of await paint(path, search)) {
          const body = html
            .replace(/<style[^>]*>([\s\S]*?)<\/style>/g, (_, rules: string) => {
              styles.add(rules)
              return ''
            })
            // Only the address field works before the app starts.
            .replace(/<(a|button)\b/g, '<$1 inert')
            .replace(/ autofocus=""| data-discover="true"|<!--.*?-->/gi, '')
          templates.push(`<template id="first-${language}${state}">${body}</template>`)
        }
      pictures.set(path, { templates: templates.join(''), css: withoutUnused([...styles].join('')) })
    }
    return pictures
  } finally {
    await server.close()
  }
}

/** Removes CSS variables that are not used. */
function withoutUnused(css: string): string {
  const used = new Set([...css.matchAll(/var\((--[\w-]+)/g)].map(([, name]) => name))
  const rest = css.replace(/(--[\w-]+):[^;{}]*;/g, (declaration, name: string) => (used.has(name) ? declaration : ''))
  return rest === css ? css : withoutUnused(rest)
}

const script = (path: string) => `<script nonce="__NONCE__">
;(() => {
  var query = new URLSearchParams(location.search)
  var address = query.get('address') || ''
  var state = /^0x[0-9a-f]{40}$/i.test(address) ? '-answer' : ''
  var picture = document.getElementById('first-' + document.documentElement.lang + state)
  // Some hosts serve one page for every path. Without an address, another view looks different.
  if (location.pathname === '${path}' && (address || !query.has('view'))) root.append(picture.content)
  document.querySelectorAll('template').forEach((template) => template.remove())
  var field = root.querySelector('input')
  if (!field) return
  field.value = address
  field.addEventListener('input', () => (window.__typed__ = field.value))
})()
</script>`
