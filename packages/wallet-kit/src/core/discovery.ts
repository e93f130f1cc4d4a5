import type { EIP1193Provider } from 'viem'
import { toDataImage, toText } from './foreign.ts'
import { read, readList } from './read.ts'

/** A provider that announced itself, with fields fit to be shown. What it says of itself proves nothing. */
export type Announcement = { provider: EIP1193Provider; rdns: string; uuid: string; name: string; icon?: string }

/** What is on the page now. */
export type Discovery = {
  /** In the order of arrival. */
  getAnnouncements: () => readonly Announcement[]
  destroy: () => void
}

const maxNameLength = 40
const maxIconLength = 64_000
/** More than anybody has installed; a page that floods the list must not stop it. */
const maxAnnouncements = 100

/**
 * Listens for wallets that announce themselves, early or late.
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
    // Wallets repeat themselves; and nobody takes the place of one that came first.
    const known = announcements.some((it) => it.rdns === rdns && (it.uuid === uuid || it.provider === provider))
    if (known || announcements.length >= maxAnnouncements) return
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

/** The provider at a path below `window`, such as `okxwallet` or `binancew3w.ethereum`. */
export function findByNamespace(path: string): EIP1193Provider | undefined {
  if (typeof window === 'undefined') return undefined
  return toProvider(path.split('.').reduce<unknown>(read, window))
}

/** The providers behind `window.ethereum`: several wallets that share it stand in its `providers`. */
export function findUnannounced(): EIP1193Provider[] {
  if (typeof window === 'undefined') return []
  const ethereum = read(window, 'ethereum')
  const listed = readList(read(ethereum, 'providers'))
  const candidates = [...new Set(listed?.map(toProvider))].filter((provider) => provider !== undefined)
  const provider = toProvider(ethereum)
  return candidates.length > 0 || !provider ? candidates : [provider]
}

export function hasFlag(provider: EIP1193Provider, flag: string): boolean {
  return read(provider, flag) === true
}

function parseAnnouncement(event: Event): Announcement | undefined {
  const detail = read(event, 'detail')
  const info = read(detail, 'info')
  const provider = toProvider(read(detail, 'provider'))
  const rdns = toText(read(info, 'rdns'), 253)
  const uuid = toText(read(info, 'uuid'), 100)
  // The mark stands between both in the id of a wallet that is not the first of its name.
  if (!provider || !rdns || rdns.includes('#') || !uuid) return undefined
  const icon = toDataImage(read(info, 'icon'), maxIconLength)
  return { provider, rdns, uuid, name: toText(read(info, 'name'), maxNameLength) || rdns, ...(icon && { icon }) }
}

function toProvider(value: unknown): EIP1193Provider | undefined {
  return typeof read(value, 'request') === 'function' ? (value as EIP1193Provider) : undefined
}
