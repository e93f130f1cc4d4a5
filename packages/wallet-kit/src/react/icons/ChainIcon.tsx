import { useEffect, useState } from 'react'
import type { WalletKitChain } from '../../core/state/config.ts'

/** Icons that the start of a page has, by chain id. */
const first: Record<number, string | undefined> = {
  // BNB Smart Chain
  56: "data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 32 32'%3E%3Ccircle cx='16' cy='16' r='16' fill='%23F3BA2F'/%3E%3Cpath fill='%23FFF' d='M12.1 14.4 16 10.5l3.9 3.9 2.3-2.3L16 6l-6.1 6.1zM6 16l2.3-2.3 2.2 2.3-2.2 2.3zm6.1 1.6 3.9 3.9 3.9-3.9 2.3 2.3L16 26l-6.1-6.1zM21.5 16l2.2-2.3L26 16l-2.3 2.3zm-3.2 0L16 18.3 13.7 16l2.3-2.3z'/%3E%3C/svg%3E",
}

type Chain = Pick<WalletKitChain, 'id' | 'iconUrl'>

const findIcon = ({ id, iconUrl = first[id] }: Chain) => iconUrl

/** Returns a function that returns the icon of a chain, once it has loaded. */
export function useChainIcons(chains: readonly Chain[]): (chain: Chain) => string | undefined {
  const [loaded, setLoaded] = useState<typeof first>()
  const isMissing = chains.some((chain) => !findIcon(chain))
  useEffect(() => {
    if (!isMissing) return
    import('./chains.ts').then(
      (module) => setLoaded(module.icons),
      () => undefined,
    )
  }, [isMissing])
  return (chain) => findIcon(chain) ?? loaded?.[chain.id]
}

type ChainIconProps = { chain: { name: string; iconUrl: string | undefined }; size: number }

/** Shows a chain's icon, nothing if it cannot load, or else its initial. Decorative: the name stands beside it or labels the button. */
export function ChainIcon({ chain: { name, iconUrl }, size }: ChainIconProps) {
  return (
    <span
      className="wk-round wk-own"
      style={{ width: size, height: size, fontSize: size / 2 }}
      // Drawn by the style sheet, because text would become part of the button's.
      data-initial={iconUrl ? undefined : [...name][0]}
      aria-hidden="true"
    >
      {iconUrl && (
        <img
          key={iconUrl}
          className="wk-own"
          src={iconUrl}
          alt=""
          onError={({ currentTarget }) => currentTarget.toggleAttribute('hidden', true)}
        />
      )}
    </span>
  )
}
