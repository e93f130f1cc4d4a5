import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import type { EmotionCache } from '@emotion/cache'
import { createReferralClient } from '@lineage/referral-api'
import type { Language } from '@lineage/referral-api/language'
import { type DehydratedState, dehydrate, type QueryClient } from '@tanstack/react-query'
import { StrictMode } from 'react'
import { prerenderToNodeStream } from 'react-dom/static'
import { StaticRouter } from 'react-router-dom'
import { createQueryClient } from './lib/api.ts'
import { createI18n, type LaterTexts, usedLaterTexts } from './lib/i18n.ts'
import { createStyleCache, nonce } from './lib/styles.ts'
import { Providers } from './providers.tsx'
import { Router } from './router.tsx'
import { RenderedContext } from './shared/frame/lazyWithPreload.tsx'
import { communitiesQuery } from './shared/lookup/useCommunity.ts'

/** Data with which the browser takes over a page. */
export type PageData = {
  language: Language
  /** Scripts of the components on the page that load separately. */
  scripts: string[]
  /** The texts that load later, as far as the page shows them. */
  texts: LaterTexts
  /** Inline styles, which the content security policy forbids in HTML: `data-style` has the index of an element’s. */
  styles: string[]
  queries: DehydratedState
}

export type PageRequest = { url: string; language: Language; fetch: typeof fetch }

/** Creates the function that renders a page with its answer, from the built `index.html` and the list of scripts. */
export function createRenderer(folder: string) {
  const template = splitTemplate(readFileSync(join(folder, 'index.html'), 'utf8'))
  const list: ScriptList = JSON.parse(readFileSync(join(folder, '.vite/scripts.json'), 'utf8'))
  return async (request: PageRequest): Promise<string> => toDocument(template, list, await renderPage(request))
}

type Rendered = Awaited<ReturnType<typeof renderPage>>

/** Renders a page. Each component waits for the lookups that it asks for. */
export async function renderPage({ url, language, fetch }: PageRequest) {
  const i18n = await createI18n(language)
  const api = createReferralClient({ baseUrl: '/v1', fetch })
  const queryClient = createWaitingClient()
  const { cache, styles } = createStyles()
  const rendered = new Set<unknown>()
  const errors: unknown[] = []
  try {
    const [config] = await Promise.all([api.config(), queryClient.prefetchQuery(communitiesQuery(api))])
    queryClient.setQueryData(['config'], config)
    const { prelude } = await prerenderToNodeStream(
      <StrictMode>
        <Providers i18n={i18n} api={api} queryClient={queryClient} styles={cache}>
          <RenderedContext value={(component) => rendered.add(component)}>
            <StaticRouter location={url}>
              <Router />
            </StaticRouter>
          </RenderedContext>
        </Providers>
      </StrictMode>,
      // Larger parts would be hidden until a script moves them into place.
      { progressiveChunkSize: Number.MAX_SAFE_INTEGER, onError: (error) => void errors.push(error) },
    )
    const html = await text(prelude)
    if (errors.length > 0) throw errors[0]
    const data = { language, texts: usedLaterTexts(i18n), queries: dehydrate(queryClient) } as const
    return { html, rules: styles(html), sources: sourcesOf(rendered), data }
  } finally {
    // Its timers would keep the answers in memory.
    queryClient.clear()
  }
}

/** Creates a client whose lookups suspend their components. One that fails is left to the browser. */
function createWaitingClient(): QueryClient {
  const client = createQueryClient()
  const cache = client.getQueryCache()
  const failed = new Set<string>()
  cache.subscribe(({ type, query }) => {
    if (type !== 'updated' || query.state.status !== 'error') return
    failed.add(query.queryHash)
    query.reset()
  })
  const setDefaults = client.defaultQueryOptions.bind(client)
  client.defaultQueryOptions = (given) => {
    const options = setDefaults(given)
    const { enabled, queryKey, queryHash } = options
    // The chain is read by the browser, through the wallet kit.
    options.suspense = enabled !== false && queryKey[0] !== 'onChain' && !failed.has(queryHash)
    return options
  }
  return client
}

/**
 * Creates the cache that collects the styles of a page, as MUI's integrations do, and the function that returns the styles used in
 * an HTML text.
 *
 * @see https://mui.com/material-ui/guides/server-rendering/
 */
function createStyles(): { cache: EmotionCache; styles: (html: string) => string } {
  const cache = createStyleCache()
  cache.compat = true
  const globals = new Set<string>()
  const { insert } = cache
  cache.insert = (...rule) => {
    const [selector, { name }] = rule
    if (selector === '' && !name.startsWith('animation-')) globals.add(name)
    return insert(...rule)
  }
  return {
    cache,
    styles(html) {
      const used = new Set([...html.matchAll(/\bcss-(\w+)/g)].map(([, name]) => name))
      const rules = Object.entries(cache.inserted).filter((rule): rule is [string, string] => rule[1] !== true)
      const own = rules.filter(([name]) => !globals.has(name) && (used.has(name) || !cache.registered[`css-${name}`]))
      return [
        ...rules.filter(([name]) => globals.has(name)).map(([name, rule]) => styleTag(`css-global ${name}`, rule)),
        styleTag(['css', ...own.map(([name]) => name)].join(' '), own.map(([, rule]) => rule).join('')),
      ].join('')
    },
  }
}

const styleTag = (names: string, rules: string) =>
  `<style nonce="${nonce}" data-emotion="${names}">${rules.replaceAll('</', '<\\/')}</style>`

const modules = import.meta.glob<Record<string, unknown>>([
  './{routes,features,shared}/**/*.tsx',
  '!./**/*.{test,stories}.tsx',
])
/** Source file of each component. All are loaded at once, so that no page waits for one. */
const sources = new Map<unknown, string>()
for (const [path, load] of Object.entries(modules))
  for (const component of Object.values(await load())) sources.set(component, path.replace('./', 'src/'))

/** Returns the source files of components. A missing one would be drawn later than the page that it is part of. */
function sourcesOf(components: Iterable<unknown>): Set<string> {
  const files = [...components].map((component) => sources.get(component))
  if (files.includes(undefined))
    throw new Error('A lazy component is not in a .tsx file of routes, features or shared.')
  return new Set(files as string[])
}

/** The parts of `index.html` between the places of a page: its language, its styles, its content and its data. */
export type Template = ReturnType<typeof splitTemplate>

/** Splits an `index.html`, once for all pages. */
export function splitTemplate(index: string) {
  const scripts: string[] = []
  // The comments and the indentation of its own scripts would be in each page.
  const short = index.replaceAll(/^ *\/\/.*\n|^ +/gm, '')
  const rest = short.replace(/<script type="module".*?<\/script>|<link rel="modulepreload".*?>/gs, (tag) => {
    scripts.push(tag)
    return ''
  })
  const places =
    /^(.*?<html lang=")[^"]*(".*?)(<\/head>.*<div id="root">).*?<\/noscript>\s*(<\/div>.*)(<script id="nonce".*)$/s
  const [, start, head, beforeContent, afterContent, end] = places.exec(rest) ?? []
  if (!start || !head || !beforeContent || !afterContent || !end) throw new Error('index.html has no place for a page.')
  return {
    ...{ start, head, beforeContent, afterContent, end },
    /** Its own scripts. */
    scripts,
  }
}

/**
 * Puts a page into the template. The largest script is asked for before the content: it arrives when most of that has, and would
 * otherwise wait until the answer is drawn. What the top bar needs comes last, because the answer would have to share the line
 * with it. The largest script asks for the rest, whose loading would hold it up, and runs meanwhile.
 */
export function toDocument(template: Template, list: ScriptList | undefined, page: Rendered): string {
  const { html, styles } = moveStyles(page.html)
  const { language } = page.data
  // With the id, because an inline style wins over the rules of classes.
  const inline = styles.map((style, index) => `#root [data-style="${index}"]{${style}}`).join('')
  const first = ['src/main.tsx', `src/locales/${language}.ts`]
  const sources = [...page.sources]
  const scripts = [...new Set(list ? sources.flatMap((source) => list.files[source] ?? []) : sources)]
  const [main = '', ...bar] = list ? scriptsOf(list, first) : []
  const rest = (list ? scriptsOf(list, sources) : []).filter((script) => script !== main && !bar.includes(script))
  const data: PageData = { ...page.data, scripts, styles }
  return [
    template.start,
    language,
    template.head,
    page.rules,
    styleTag('inline', inline),
    preload([main], 'id="largest"'),
    template.beforeContent,
    html,
    template.afterContent,
    `<script id="page" type="application/json">${JSON.stringify(data).replaceAll('<', '\\u003c')}</script>`,
    ...template.scripts,
    preload(bar),
    `<template id="scripts">${preload(rest)}</template>`,
    template.end,
  ].join('')
}

const preload = (scripts: readonly string[], attributes = '') =>
  scripts.map((script) => script && `<link rel="modulepreload" crossorigin ${attributes} href="/${script}">`).join('')

/** The scripts of a build. */
export type ScriptList = {
  /** The script of each source file. */
  files: Record<string, string>
  /** The scripts that each script imports. */
  imports: Record<string, string[]>
}

/** Returns the scripts of source files, with all that they import. */
function scriptsOf({ files, imports }: ScriptList, sources: readonly string[]): string[] {
  const reached = new Set(sources.flatMap((source) => files[source] ?? []))
  for (const script of reached) for (const imported of imports[script] ?? []) reached.add(imported)
  return [...reached]
}

/** Replaces the inline styles of elements by their index in a list. */
function moveStyles(html: string): { html: string; styles: string[] } {
  const indexes = new Map<string, number>()
  const moved = html.replace(/ style="([^"]*)"/g, (_, style: string) => {
    const index = indexes.get(style) ?? indexes.size
    indexes.set(style, index)
    return ` data-style="${index}"`
  })
  return { html: moved, styles: [...indexes.keys()].map(decode) }
}

const decode = (text: string): string =>
  text
    .replaceAll('&quot;', '"')
    .replaceAll('&#x27;', "'")
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&')
