import type { EIP1193Provider } from 'viem'
import { parseDataImage, parseUntrustedText, readList, readProperty } from '../lib/untrusted.ts'
import { injectedConnector } from './injected.ts'
import type { WalletDefinition, WalletGroup } from './wallet.ts'

/** A wallet of the list: a definition, and the provider found for it. */
export type FoundWallet = {
  definition: WalletDefinition
  groupName: string
  provider?: EIP1193Provider
  /** The rdns that `provider` announced. */
  rdns?: string
  verified: boolean
}

/** Group of the wallets that were found on the page. Dialogs translate its name. */
export const installedGroup = 'Installed'

/** The providers on the page, and those that definitions have taken so far. */
type Providers = {
  announced: ReadonlyMap<string, readonly Announcement[]>
  isAnnounced: (provider: EIP1193Provider) => boolean
  taken: Set<Announcement>
  /** Behind `window.ethereum`, neither announced nor taken. */
  unannounced: Set<EIP1193Provider>
}

const loadPlaceholder = () => import('./placeholderIcon.ts').then((module) => module.placeholderIcon)

/**
 * Matches the configured wallets with the providers on the page. A definition takes a provider that announces its
 * rdns, or else one with its namespace or flag. Other announced providers are listed as they announce themselves. If
 * none is announced, the other providers behind `window.ethereum` are listed as "Browser Wallet".
 */
export function findWallets(groups: readonly WalletGroup[], announcements: readonly Announcement[]): FoundWallet[] {
  const announced = new Map<string, Announcement[]>()
  for (const it of announcements) announced.set(it.rdns, [...(announced.get(it.rdns) ?? []), it])
  const isAnnounced = (provider: EIP1193Provider) => announcements.some((it) => it.provider === provider)
  const unannounced = new Set(findUnannounced().filter((provider) => !isAnnounced(provider)))
  const providers: Providers = { announced, isAnnounced, taken: new Set(), unannounced }

  const configured = findConfigured(groups, providers)
  const others = announcements.length > 0 ? listAnnounced(configured, providers) : listUnannounced(providers)
  return [...configured, ...others]
}

/** Finds a provider for each definition. Of definitions with the same id, the first is kept. */
function findConfigured(groups: readonly WalletGroup[], providers: Providers): FoundWallet[] {
  const ids = new Set<string>()
  const isFirst = ({ id }: WalletDefinition) => !ids.has(id) && ids.add(id)
  return groups.flatMap(({ groupName, wallets }) =>
    wallets.filter(isFirst).map((definition) => ({
      definition,
      groupName,
      ...(takeAnnounced(definition, providers) ?? takeUnannounced(definition, providers)),
    })),
  )
}

/**
 * Takes the first announced name of a definition. Its further names are those of its app and its SDK, which are the same
 * wallet; other providers with the first name are rivals, which are listed on their own.
 */
function takeAnnounced({ rdns = [] }: WalletDefinition, { announced, taken }: Providers) {
  const claims = rdns.flatMap((name) => announced.get(name) ?? []).filter((it) => !taken.has(it))
  const [first] = claims
  const verified = claims.every((it) => it.provider === first?.provider || it.rdns !== first?.rdns)
  for (const it of claims) if (verified || it.provider === first?.provider) taken.add(it)
  return first && { provider: first.provider, rdns: first.rdns, verified }
}

function takeUnannounced({ namespaces = [], flags = [] }: WalletDefinition, { isAnnounced, unannounced }: Providers) {
  const provider =
    namespaces.map(findByNamespace).find((it) => it && !isAnnounced(it)) ??
    [...unannounced].find((it) => flags.some((flag) => hasFlag(it, flag)))
  if (provider) unannounced.delete(provider)
  return { ...(provider && { provider }), verified: true }
}

/** Lists the announced providers that no definition has taken. One with the name of a configured wallet is unverified. */
function listAnnounced(configured: readonly FoundWallet[], { announced, taken }: Providers): FoundWallet[] {
  const isTaken = (id: string) => configured.some(({ definition }) => definition.id === id)
  const namesOf = ({ definition: { name, names } }: FoundWallet) => Object.values({ name, ...names }).map(normalizeName)
  const names = configured.flatMap(namesOf)
  return [...announced].flatMap(([rdns, rivals]) =>
    rivals.flatMap((it, index): FoundWallet[] => {
      const { name, icon, uuid, provider } = it
      if (taken.has(it)) return []
      const id = index === 0 && !isTaken(rdns) ? rdns : `${rdns}#${uuid}`
      const normal = normalizeName(name)
      const verified = rivals.length === 1 && !names.includes(normal) && !lookalikes.test(normal)
      return [{ ...createInstalled(id, name, provider, icon), rdns, verified }]
    }),
  )
}

function listUnannounced({ unannounced }: Providers): FoundWallet[] {
  return [...unannounced].map((provider, index) =>
    createInstalled(index === 0 ? 'browserWallet' : `browserWallet#${index + 1}`, 'Browser Wallet', provider),
  )
}

/** Creates a wallet for a provider without a definition. */
function createInstalled(id: string, name: string, provider: EIP1193Provider, icon?: string): FoundWallet {
  const definition = {
    id,
    name,
    iconUrl: icon ?? loadPlaceholder,
    iconBackground: '#fff',
    connectors: [injectedConnector()],
  }
  return { definition, groupName: installedGroup, provider, verified: true }
}

/**
 * Normalizes a name, so that names that people could confuse are equal: without symbols, marks and digits, and with one
 * letter for those that look alike. Ranges, because classes such as `\p{S}` make the browser build large tables on
 * their first match.
 */
const normalizeName = (name: string) =>
  name
    .normalize('NFKD')
    .toLowerCase()
    .replace(/0/g, 'o')
    .replace(/[1iı]/g, 'l')
    .replace(/[^a-z\u00d8-\u02af\u0370-\u1fff\u2c00-\ud83b]|wallet|offlclal|tm$/g, '')

/** Matches letters of scripts of which many look like Latin ones. Not those of Europe's languages, and of scripts from Hebrew to Ethiopic and from Kana to Hangul. */
const lookalikes = /[^a-\u024f\u0590-\u139f\u3000-\ua4cf\uac00-\ud7ff]/

/** A provider that announced itself, with cleaned fields. The name and icon prove nothing. */
type Announcement = { provider: EIP1193Provider; rdns: string; uuid: string; name: string; icon?: string }

/** The announcements of a page. */
type Discovery = {
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
  if (typeof document === 'undefined') return { getAnnouncements: () => announcements, destroy: () => {} }

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
  window.dispatchEvent(new window.Event('eip6963:requestProvider'))
  return {
    getAnnouncements: () => announcements,
    destroy: () => {
      window.removeEventListener('eip6963:announceProvider', announce)
      window.removeEventListener('ethereum#initialized', onChange)
    },
  }
}

/** Returns the provider at a path below `window`, such as `okxwallet` or `binancew3w.ethereum`. */
function findByNamespace(path: string): EIP1193Provider | undefined {
  return toProvider(path.split('.').reduce<unknown>(readProperty, globalThis))
}

/** Returns the providers behind `window.ethereum`. Wallets that share it are in `window.ethereum.providers`. */
function findUnannounced(): EIP1193Provider[] {
  const ethereum = readProperty(globalThis, 'ethereum')
  const listed = readList(readProperty(ethereum, 'providers'))
  const candidates = [...new Set(listed?.map(toProvider))].filter((provider) => provider !== undefined)
  const provider = toProvider(ethereum)
  return candidates.length > 0 || !provider ? candidates : [provider]
}

/** Checks whether a provider sets a property to `true`. */
function hasFlag(provider: EIP1193Provider, flag: string): boolean {
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
