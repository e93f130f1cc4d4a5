import { useEffect, useState } from 'react'
import type { WalletKitChain } from '../../core/state/config.ts'

const bnb = encodeURIComponent(
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><circle cx="16" cy="16" r="16" fill="#F3BA2F"/><path fill="#FFF" d="M12.116 14.404 16 10.52l3.886 3.886 2.26-2.26L16 6l-6.144 6.144zM6 16l2.26-2.26L10.52 16l-2.26 2.26zm6.116 1.596L16 21.48l3.886-3.886 2.26 2.259L16 26l-6.144-6.144-.003-.003zM21.48 16l2.26-2.26L26 16l-2.26 2.26zm-3.188-.002h.002V16L16 18.294 13.706 16 16 13.706z"/></svg>',
)

/** Icons that the start of a page has, by chain id. */
const first: Record<number, string | undefined> = { 56: `data:image/svg+xml,${bnb}` }

type Chain = Pick<WalletKitChain, 'id' | 'iconUrl'>

const findIcon = ({ id, iconUrl = first[id] }: Chain) => iconUrl

/** Returns a function that returns the icon of a chain, once it has loaded. */
export function useChainIcons(chains: readonly Chain[]): (chain: Chain) => string | undefined {
  const [loaded, setLoaded] = useState<typeof first>()
  const isMissing = chains.some((chain) => !findIcon(chain))
  useEffect(() => {
    if (!isMissing) return
    import('./chains.ts').then(
      ({ icons }) => setLoaded(icons),
      () => undefined,
    )
  }, [isMissing])
  return (chain) => findIcon(chain) ?? loaded?.[chain.id]
}

type ChainIconProps = { chain: { name: string; iconUrl: string | undefined }; size: number }

/** Shows a chain's icon, or else its initial. Decorative: the name stands beside it or labels the button. */
export function ChainIcon({ chain: { name, iconUrl }, size }: ChainIconProps) {
  return (
    <span
      className="wk-round wk-own"
      style={{ width: size, height: size, fontSize: size / 2 }}
      data-initial={iconUrl ? undefined : ''}
      aria-hidden="true"
    >
      {iconUrl ? <img className="wk-own" src={iconUrl} alt="" width={size} height={size} /> : [...name][0]}
    </span>
  )
}
