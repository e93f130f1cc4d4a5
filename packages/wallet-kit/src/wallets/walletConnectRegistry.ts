import { assertParameters, WalletKitError } from '../core/lib/errors.ts'
import { isRecord, parseAvatar, parseUntrustedText, readProperty } from '../core/lib/untrusted.ts'
import type { LoadWalletApps, WalletApp } from '../core/wallets/wallet.ts'

export type WalletConnectRegistryOptions = {
  /** Address that answers like WalletConnect's, such as your own copy. Default: WalletConnect's. */
  url?: string | undefined
}

const requestTimeout = 10_000
const maxNameLength = 40
const maxApps = 500

/**
 * Returns a function that loads the apps in WalletConnect's registry, for `apps` of the definition `walletConnectWallet`. It sends your
 * project id to WalletConnect once that wallet is picked on a phone; the icons come from there as well.
 *
 * @param options - Another address of the registry.
 * @see https://docs.walletconnect.com/wallets/walletguide/explorer-api
 * @example
 * const wallets = [{ groupName: 'Popular', wallets: [metaMaskWallet, { ...walletConnectWallet, apps: walletConnectRegistry() }] }]
 */
export function walletConnectRegistry(options: WalletConnectRegistryOptions = {}): LoadWalletApps {
  assertParameters(options, 'url')
  const { url = 'https://explorer-api.walletconnect.com/v3/wallets' } = options
  return async ({ projectId, chainIds, platform }) => {
    const address = new URL(url, window.location.href)
    const chains = chainIds.map((id) => `eip155:${id}`).join()
    const values = { projectId: projectId ?? '', chains, platforms: platform, entries: String(maxApps), page: '1' }
    for (const [name, value] of Object.entries(values)) address.searchParams.set(name, value)
    const response = await fetch(address, { credentials: 'omit', signal: AbortSignal.timeout(requestTimeout) })
    if (!response.ok) throw new WalletKitError('There was an error with the request.')
    return parseRegistry(await response.json(), platform)
  }
}

/** Returns the apps of an answer that can be opened on the phone. Leaves out every entry that is not what it should be. */
export function parseRegistry(answer: unknown, platform: 'ios' | 'android'): WalletApp[] {
  const listings = readProperty(answer, 'listings')
  const entries = isRecord(listings) ? Object.entries(listings) : []
  return entries.slice(0, maxApps).flatMap(([key, entry]) => {
    const name = parseUntrustedText(readProperty(entry, 'name'), maxNameLength)
    const mobile = readProperty(entry, 'mobile')
    const own = parseAddress(readProperty(mobile, 'native'), isAppScheme)
    const universal = parseAddress(readProperty(mobile, 'universal'), isWebScheme)
    const link = own ?? universal
    if (!name || !link || !readProperty(readProperty(entry, 'app'), platform)) return []
    const iconUrl = parseAvatar(readProperty(readProperty(entry, 'image_url'), 'sm')) ?? ''
    const relayLinks = { [platform]: link, ...(universal && { universal }) }
    return [{ id: `registry:${key}`, name, iconUrl, iconBackground: '#fff', relayLinks }]
  })
}

/** Schemes of the browser and the system, which open no wallet. */
const otherSchemes =
  /^(about|blob|chrome|data|file|filesystem|ftp|https?|intent|javascript|mailto|sms|tel|vbscript|view-source|wc|wss?)$/
const isAppScheme = (scheme: string) => !otherSchemes.test(scheme)
const isWebScheme = (scheme: string) => scheme === 'https'

/** Returns the link for pairings below the address of an app: `trust:`, `trust://` or `https://link.trustwallet.com`. */
function parseAddress(value: unknown, isScheme: (scheme: string) => boolean): string | undefined {
  if (typeof value !== 'string' || value.length > 200) return undefined
  const [, scheme = '', rest = ''] = /^([a-z][a-z0-9+.-]*):(?:\/\/)?([\w./:?=&%@#-]*)$/i.exec(value.trim()) ?? []
  if (!scheme || !isScheme(scheme.toLowerCase())) return undefined
  return `${scheme}://${rest && !rest.endsWith('/') ? `${rest}/` : rest}wc?uri={uri}`
}
