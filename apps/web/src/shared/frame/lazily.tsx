import { type ComponentType, use } from 'react'

type Module<props> = { default: ComponentType<props> }

/**
 * As React's `lazy`, but what has been preloaded is drawn at once: `lazy` would show its fallback for a moment, and
 * React keeps a fallback that is seen for 300 ms.
 *
 * @see https://react.dev/reference/react/use
 */
export function lazily<props extends object>(load: () => Promise<Module<props>>) {
  let loading: Promise<Module<props>> | undefined
  let state: 'loading' | 'failed' = 'loading'
  /** What has failed is tried again, when it is asked for here. */
  const preload = (): Promise<Module<props>> => {
    if (loading && state !== 'failed') return loading
    const begun = load()
    loading = begun
    state = 'loading'
    begun.then(
      (value) => Object.assign(begun, { status: 'fulfilled', value }),
      () => {
        state = 'failed'
      },
    )
    return begun
  }
  const Lazily = (props: props) => {
    const { default: Component } = use(loading ?? preload())
    return <Component {...props} />
  }
  return Object.assign(Lazily, { preload })
}
