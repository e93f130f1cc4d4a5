import type { Language } from '@lineage/referral-api/language'
import type { Services } from '../api/services.ts'
import { createCache, withPatience } from '../lib/cache.ts'
import { createPlaces } from '../lib/places.ts'
import { networksOf } from '../lib/visitor.ts'
import type { Renderer } from './createRenderer.ts'
import { createPage, type Page } from './page.ts'

/** Longest time that a request waits for its page to be rendered, in milliseconds. */
const patience = 2_000
/** Milliseconds for which a page is cached if no block arrives, and the largest number of cached pages. */
const maxAge = 5_000
const cacheSize = 64
/** Cost of rendering a page for the limit of its visitor, beside that of its lookups. */
const cost = 5
/** Pages of the networks of a visitor that are rendered or wait, the widest network first: others find a place. */
const mostOfNetworks = [4, 3, 2]

export type PageRequest = {
  url: URL
  language: Language
  visitor: string
  /** Answers a lookup of the page, without an account. */
  answer: (path: string) => Promise<Response>
}

type Parameters = Pick<Services, 'index' | 'limits' | 'queue'> & { renderer: Renderer }

/**
 * Creates a function that returns the page of a URL with its answer, once for each language and block. It is the same
 * for all visitors: its lookups are asked without an account. Returns `undefined` without an indexed answer, under
 * overload, and for a visitor who asks too much; the browser then asks by itself.
 */
export function createPages({ index, limits, queue, renderer }: Parameters) {
  const cache = createCache<Page>({ maxAge, size: cacheSize })
  const places = createPlaces<symbol>()
  const isFullFor = (networks: readonly string[]) =>
    mostOfNetworks.some((most, width) => places.count(networks.slice(0, width + 1)) >= most)
  return async ({ url, language, visitor, answer }: PageRequest): Promise<Page | undefined> => {
    const id = url.searchParams.get('community') ?? index.communities[0] ?? ''
    const state = index.status().state === 'ready' ? index.stateOf(id) : undefined
    if (!state || index.refusalOf(id) !== undefined) return undefined
    const target = url.pathname + url.search
    const render = async () => {
      const networks = networksOf(visitor)
      if (!renderer.isReady() || isFullFor(networks)) throw new Error('The page is not rendered now.')
      limits.require('lookups', visitor, cost)
      const leave = places.take(networks, Symbol('page'))
      try {
        const end = await queue.enterPage(visitor)
        const { buffer } = await renderer.render({ url: target, language, answer }).finally(end)
        return createPage(Buffer.from(buffer).toString())
      } finally {
        leave()
      }
    }
    const key = [id, state.name, state.asOf.block, state.asOf.timestamp, language, target].join(' ')
    return withPatience(patience, cache(key, render))
  }
}
