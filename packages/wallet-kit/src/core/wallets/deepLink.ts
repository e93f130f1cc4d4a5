import { readProperty } from '../lib/untrusted.ts'
import { isFramed } from './userAgent.ts'

const key = 'WALLETCONNECT_DEEPLINK_CHOICE'

/**
 * Stores the app in which the person opened a pairing. Relay clients read this key to open the app for each request, in a
 * frame instead of the page around it: there they get no link.
 *
 * @see https://docs.reown.com/advanced/providers/ethereum
 */
export function storeDeepLink(link: string, name: string): void {
  const href = isFramed() ? undefined : link.split('?')[0]
  guard((storage) => storage.setItem(key, JSON.stringify({ href, name })))
}

/** Reads the name of the app in which the person opened the last pairing. */
export function readDeepLinkName(): string | undefined {
  let text: string | null = null
  guard((storage) => {
    text = storage.getItem(key)
  })
  try {
    const name = text === null ? undefined : readProperty(JSON.parse(text), 'name')
    return typeof name === 'string' ? name : undefined
  } catch {
    return undefined
  }
}

/** Removes the app, after a wallet on another device was connected. */
export function removeDeepLink(): void {
  guard((storage) => storage.removeItem(key))
}

function guard(use: (storage: Storage) => void): void {
  try {
    if (typeof document !== 'undefined') use(window.localStorage)
  } catch {
    // Storage is blocked, missing or full. The person can still open the app manually.
  }
}
