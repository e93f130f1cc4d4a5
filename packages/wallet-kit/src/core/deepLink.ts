import { read } from './read.ts'

const key = 'WALLETCONNECT_DEEPLINK_CHOICE'

/**
 * Remembers the app in which a person opened a pairing: relay clients read this place to bring it up again for each
 * request to sign.
 *
 * @see https://docs.reown.com/advanced/providers/ethereum
 */
export function storeDeepLink(link: string, name: string): void {
  guard((storage) => storage.setItem(key, JSON.stringify({ href: link.split('?')[0], name })))
}

/** The name of the app in which the person opened the last pairing on this device. */
export function readDeepLinkName(): string | undefined {
  let text: string | null = null
  guard((storage) => {
    text = storage.getItem(key)
  })
  try {
    const name = text === null ? undefined : read(JSON.parse(text), 'name')
    return typeof name === 'string' ? name : undefined
  } catch {
    return undefined
  }
}

/** A wallet on another device must not be looked for on this one. */
export function removeDeepLink(): void {
  guard((storage) => storage.removeItem(key))
}

function guard(use: (storage: Storage) => void): void {
  try {
    if (typeof window !== 'undefined') use(window.localStorage)
  } catch {
    // Blocked, missing or full: the person opens the app by hand.
  }
}
