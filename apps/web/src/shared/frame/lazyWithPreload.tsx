import { type ComponentType, createContext, use } from 'react'

type Module<props> = { default: ComponentType<props> }

/** Thrown when the script of a component failed to load. After `forget`, the next render loads it again. */
export class LoadError extends Error {
  override readonly name = 'LoadError'
  readonly forget: () => void

  constructor(cause: unknown, forget: () => void) {
    super('A script of the page was not loaded.', { cause })
    this.forget = forget
  }
}

type Lazy = { load: () => Promise<unknown>; preload: () => Promise<unknown> }

const lazies: Lazy[] = []

/** Called with each lazy component that a server renders. */
export const RenderedContext = createContext<((component: unknown) => void) | undefined>(undefined)

/** Loads the components of these scripts, also those that the scripts add, so that they render at once. */
export async function preloadScripts(scripts: readonly string[]): Promise<void> {
  // A module in the script that loads it is named by no `import`, but it has to render at once as well.
  const isNeeded = ({ load }: Lazy) =>
    !String(load).includes('import(') || scripts.some((script) => String(load).includes(script.replace(/^.*\//, '/')))
  for (let seen = 0; seen < lazies.length; ) {
    const added = lazies.slice(seen)
    seen = lazies.length
    await Promise.all(added.filter(isNeeded).map(({ preload }) => preload()))
  }
}

/**
 * Creates a lazy component like React's `lazy`, with `preload`. A preloaded component renders at once; `lazy` would show
 * its fallback first, and React keeps a visible fallback for 300 ms.
 *
 * @see https://react.dev/reference/react/use
 */
export function lazyWithPreload<props extends object>(load: () => Promise<Module<props>>) {
  let loading: Promise<Module<props>> | undefined
  let state: 'loading' | 'failed' = 'loading'
  const forget = () => {
    loading = undefined
  }
  /** Loads the module once; a failure is retried on the next call. */
  const preload = (): Promise<Module<props>> => {
    if (loading && state !== 'failed') return loading
    state = 'loading'
    const begun = loadTwice(load).catch((cause: unknown) => {
      state = 'failed'
      throw new LoadError(cause, forget)
    })
    loading = begun
    begun.then(
      (value) => Object.assign(begun, { status: 'fulfilled', value }),
      () => undefined,
    )
    return begun
  }
  const LazyWithPreload = (props: props) => {
    const { default: Component } = use(loading ?? preload())
    use(RenderedContext)?.(Component)
    return <Component {...props} />
  }
  lazies.push({ load, preload })
  return Object.assign(LazyWithPreload, { preload })
}

/** Third loads of scripts, by path: `undefined` for a script that was lost once, or lost again since. */
const lost = new Map<string, Promise<unknown> | undefined>()
let tries = 0

/**
 * Loads a script beside this one; the build calls it in place of `import()`. Browsers before 2026 do not ask again for a script that
 * was lost: if the third try fails as well, it is loaded from another URL.
 *
 * @see https://github.com/whatwg/html/pull/10327
 */
globalThis.__import = (path) =>
  lost.get(path) ??
  import(/* @vite-ignore */ path).catch((error: unknown) => {
    const isFirst = !lost.has(path)
    lost.set(path, undefined)
    if (isFirst) throw error
    // A browser that does ask again gets no second copy of the script.
    const again = fetch(new URL(path, import.meta.url))
      .then(() => import(/* @vite-ignore */ path))
      .catch(() => import(/* @vite-ignore */ `${path}?${++tries}`))
    lost.set(path, again)
    again.catch(() => lost.set(path, undefined))
    return again
  })

/** Milliseconds before the second try. */
const pause = 1_000

/** Loads a script, and tries once more after a second, because a weak connection loses single requests. */
export function loadTwice<module>(load: () => Promise<module>): Promise<module> {
  return load().catch(() => new Promise((resolve) => setTimeout(resolve, pause)).then(load))
}
