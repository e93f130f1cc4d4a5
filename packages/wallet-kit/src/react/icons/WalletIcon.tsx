import { type RefObject, useEffect, useRef, useState } from 'react'
import { whenIdle } from '../../core/lib/promises.ts'
import type { WalletOption } from '../../core/wallets/wallet.ts'

type WalletIconProps = {
  wallet: Pick<WalletOption, 'name' | 'iconUrl' | 'iconBackground'>
  size?: number
  /** `lazy` loads the icon once it is in view and the browser is idle, for long lists whose names are painted first. */
  loading?: 'eager' | 'lazy'
}

/** Shows a wallet's icon in a fixed place; shows its initial until the icon has loaded, or if it cannot load. */
export function WalletIcon({
  wallet: { name, iconUrl, iconBackground },
  size = 40,
  loading = 'eager',
}: WalletIconProps) {
  const place = useRef<HTMLSpanElement>(null)
  const source = useIconUrl(iconUrl, loading, place)
  const [shown, setShown] = useState<string>()
  const isShown = source !== undefined && shown === source
  return (
    <span
      ref={place}
      className="wk-wallet-icon wk-own"
      style={{
        width: size,
        height: size,
        borderRadius: size / 4,
        fontSize: size * 0.4,
        ...(isShown && { background: iconBackground }),
      }}
      data-initial={isShown ? undefined : [...name][0]}
      aria-hidden="true"
    >
      {source && (
        <img
          className="wk-own"
          src={source}
          alt=""
          width={size}
          height={size}
          draggable={false}
          hidden={!isShown}
          onLoad={() => setShown(source)}
        />
      )}
    </span>
  )
}

/** The URLs of the icons that have loaded, which a dialog draws at once when it opens again. */
const loadedUrls = new WeakMap<() => Promise<string>, string>()

/** Returns the URL of a wallet's icon once it has loaded. `lazy` loads it when `place` is in view. */
export function useIconUrl(
  iconUrl: WalletOption['iconUrl'],
  loading: 'eager' | 'lazy' = 'eager',
  place?: RefObject<HTMLElement | null>,
): string | undefined {
  const [loaded, setLoaded] = useState<WalletOption['iconUrl']>()
  const isText = typeof iconUrl === 'string'
  // A page that shows it requests nothing.
  const isReady = isText ? loading === 'eager' || iconUrl.startsWith('data:') : Boolean(loadedUrls.get(iconUrl))
  useEffect(() => {
    if (isReady) return
    let isCurrent = true
    const load = async () => {
      if (!isCurrent) return
      const url = isText ? iconUrl : await iconUrl().catch(() => '')
      if (!isText && url) loadedUrls.set(iconUrl, url)
      if (isCurrent) setLoaded(() => iconUrl)
    }
    let stop: (() => void) | undefined
    if (loading === 'lazy' && place?.current) stop = whenInView(place.current, () => whenIdle(() => void load()))
    else void load()
    return () => {
      isCurrent = false
      stop?.()
    }
  }, [iconUrl, isText, isReady, loading, place])
  if (!isReady && loaded !== iconUrl) return undefined
  return (isText ? iconUrl : loadedUrls.get(iconUrl)) || undefined
}

/** Runs the task once the element is in view, or near it. Returns a function that stops waiting. */
function whenInView(element: HTMLElement, task: () => void): (() => void) | undefined {
  // Missing in the documents of test runners.
  if (typeof IntersectionObserver !== 'function') {
    task()
    return undefined
  }
  const observer = new IntersectionObserver(
    (entries) => {
      if (!entries.some(({ isIntersecting }) => isIntersecting)) return
      observer.disconnect()
      task()
    },
    { rootMargin: '100px' },
  )
  observer.observe(element)
  return () => observer.disconnect()
}
