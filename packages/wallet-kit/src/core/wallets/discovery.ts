import type { EIP1193Provider } from 'viem'
import { parseDataImage, parseUntrustedText } from '../lib/parseUntrusted.ts'
import { readList, readProperty } from '../lib/readProperty.ts'

/** A provider that announced itself, with cleaned fields. The name and icon prove nothing. */
export type Announcement = { provider: EIP1193Provider; rdns: string; uuid: string; name: string; icon?: string }

/** The announcements of a page. */
export type Discovery = {
  /** Returns the announcements in the order of arrival. */
  getAnnouncements: () => readonly Announcement[]
  destroy: () => void
}

const maxNameLength = 40
const maxIconLength = 64_000
/** Limits the list, because a page may flood it. */
const maxAnnouncements = 100

/**
 * Listens for wallets that announce themselves, now or later.
 *
 * @see https://eips.ethereum.org/EIPS/eip-6963
 */
export function createDiscovery(onChange: () => void): Discovery {
  const announcements: Announcement[] = []
  if (typeof window === 'undefined') return { getAnnouncements: () => announcements, destroy: () => {} }

  const announce = (event: Event) => {
    const announcement = parseAnnouncement(event)
    if (!announcement) return
    const { provider, rdns, uuid } = announcement
    // Wallets announce themselves repeatedly. The first announcement counts.
    const isKnown = announcements.some((it) => it.rdns === rdns && (it.uuid === uuid || it.provider === provider))
    if (isKnown || announcements.length >= maxAnnouncements) return
    announcements.push(announcement)
    onChange()
  }
  window.addEventListener('eip6963:announceProvider', announce)
  window.addEventListener('ethereum#initialized', onChange)
  window.dispatchEvent(new Event('eip6963:requestProvider'))
  return {
    getAnnouncements: () => announcements,
    destroy: () => {
      window.removeEventListener('eip6963:announceProvider', announce)
      window.removeEventListener('ethereum#initialized', onChange)
    },
  }
}

/** Returns the provider at a path below `window`, such as `okxwallet` or `binancew3w.ethereum`. */
export function findByNamespace(path: string): EIP1193Provider | undefined {
  if (typeof window === 'undefined') return undefined
  return toProvider(path.split('.').reduce<unknown>(readProperty, window))
}

/** Returns the providers behind `window.ethereum`. Wallets that share it are in `window.ethereum.providers`. */
export function findUnannounced(): EIP1193Provider[] {
  if (typeof window === 'undefined') return []
  const ethereum = readProperty(window, 'ethereum')
  const listed = readList(readProperty(ethereum, 'providers'))
  const candidates = [...new Set(listed?.map(toProvider))].filter((provider) => provider !== undefined)
  const provider = toProvider(ethereum)
  return candidates.length > 0 || !provider ? candidates : [provider]
}

/** Checks whether a provider sets a property to `true`. */
export function hasFlag(provider: EIP1193Provider, flag: string): boolean {
  return readProperty(provider, flag) === true
}

function parseAnnouncement(event: Event): Announcement | undefined {
  const detail = readProperty(event, 'detail')
  const info = readProperty(detail, 'info')
  const provider = toProvider(readProperty(detail, 'provider'))
  const rdns = parseUntrustedText(readProperty(info, 'rdns'), 253)
  const uuid = parseUntrustedText(readProperty(info, 'uuid'), 100)
  // `#` separates rdns and uuid in the id of a second provider.
  if (!provider || !rdns || rdns.includes('#') || !uuid) return undefined
  const icon = parseDataImage(readProperty(info, 'icon'), maxIconLength)
  return {
    provider,
    rdns,
    uuid,
    name: parseUntrustedText(readProperty(info, 'name'), maxNameLength) || rdns,
    ...(icon && { icon }),
  }
}

function toProvider(value: unknown): EIP1193Provider | undefined {
  return typeof readProperty(value, 'request') === 'function' ? (value as EIP1193Provider) : undefined
}
