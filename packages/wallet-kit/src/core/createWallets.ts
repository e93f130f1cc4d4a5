import type { AppDetails } from './app.ts'
import type { WalletKitConfig } from './config.ts'
import { createDiscovery, type Discovery } from './discovery.ts'
import { type FoundWallet, findWallets, installedGroup } from './findWallets.ts'
import type { KitStorage } from './storage.ts'
import { findLimits } from './surroundings.ts'
import type { Connector, ConnectorContext, WalletDefinition, WalletGroup, WalletOption } from './wallet.ts'

/** A wallet of the list with the ways to reach it, in order of preference. */
export type Wallet = FoundWallet & {
  connectors: readonly Connector[]
  /** Not worth showing while it cannot be asked: the app that shows this page keeps it from working here. */
  isHidden: boolean
}

export type Wallets = {
  get: (walletId: string) => Wallet | undefined
  /** By its id, else by the name under which it announced itself last time. */
  find: (stored: { walletId: string; rdns?: string }) => Wallet | undefined
  /** One that may surround this page, and the way to it. */
  findSurrounding: () => { wallet: Wallet; connector: Connector } | undefined
  list: (recentWalletIds: readonly string[]) => WalletOption[]
  /** Looks again for what is injected without an event. */
  refresh: () => void
  destroy: () => void
}

type CreateWalletsParameters = {
  groups: readonly WalletGroup[]
  chainIds: readonly [number, ...number[]]
  config: AppDetails & Pick<WalletKitConfig, 'projectId'>
  read: ConnectorContext['read']
  storage: KitStorage
  signal: AbortSignal
  onChange: () => void
}

/** The wallets of a kit: those configured and those found on the page, each with its connectors, made once. */
export function createWallets({
  groups,
  chainIds,
  config,
  read,
  storage,
  signal,
  onChange,
}: CreateWalletsParameters): Wallets {
  const wallets = new Map<string, Wallet>()
  const connectors = new Map<string, Pick<Wallet, 'connectors' | 'isHidden'>>()
  const shared = new Map<object, unknown>()
  const share = <T>(key: object, make: () => T): T => {
    if (!shared.has(key)) shared.set(key, make())
    return shared.get(key) as T
  }
  const session: ConnectorContext['session'] = {
    read: () => storage.read('session', (value) => value),
    write: (value) => storage.write('session', value),
  }
  const { projectId } = config
  const groupNames = [installedGroup, ...groups.map(({ groupName }) => groupName)]

  const refresh = () => {
    const found = findWallets(groups, discovery?.getAnnouncements() ?? [])
    wallets.clear()
    for (const wallet of found) {
      const { definition } = wallet
      const findProvider = () => wallets.get(definition.id)?.provider
      const context = { chainIds, projectId, app: config, read, session, signal, share, findProvider }
      const made = connectors.get(definition.id) ?? createConnectors(definition, context)
      connectors.set(definition.id, made)
      wallets.set(definition.id, { ...wallet, ...made })
    }
    notify()
  }

  // Whoever makes the list reads it once it is made.
  let notify = () => {}
  let discovery: Discovery | undefined
  discovery = createDiscovery(refresh)
  refresh()
  notify = onChange

  return {
    get: (walletId) => wallets.get(walletId),
    find: ({ walletId, rdns }) =>
      wallets.get(walletId) ?? [...wallets.values()].find((wallet) => rdns !== undefined && wallet.rdns === rdns),
    findSurrounding: () => {
      for (const wallet of wallets.values()) {
        const connector = wallet.connectors.find(({ surrounds }) => surrounds?.())
        if (connector) return { wallet, connector }
      }
      return undefined
    },
    list: (recentWalletIds) => {
      const rank = (id: string) => (recentWalletIds.includes(id) ? recentWalletIds.indexOf(id) : recentWalletIds.length)
      return [...wallets.values()]
        .filter(
          (wallet) =>
            chooseConnector(wallet) || !(wallet.isHidden || wallet.connectors.some(({ surrounds }) => surrounds)),
        )
        .map((wallet) => createOption(wallet, recentWalletIds, groupNames))
        .sort((a, b) => a.groupIndex - b.groupIndex || rank(a.id) - rank(b.id))
    },
    refresh,
    destroy: () => discovery?.destroy(),
  }
}

/** The ways to a wallet that lead somewhere from where the page is shown. */
function createConnectors(definition: WalletDefinition, context: ConnectorContext) {
  const { lacks, unreachable } = findLimits()
  const all = definition.connectors.map((create) => create(context, definition))
  const connectors = all.filter(({ kind }) => !lacks.includes(kind))
  return { connectors, isHidden: unreachable === 'hidden' && connectors.length < all.length }
}

/** The way in which a wallet would be asked now. */
export function chooseConnector({ connectors }: Wallet): Connector | undefined {
  return connectors.find((connector) => connector.isReady())
}

function createOption(wallet: Wallet, recentWalletIds: readonly string[], groupNames: readonly string[]): WalletOption {
  const {
    id,
    name,
    shortName = name,
    iconUrl,
    iconBackground,
    iconAccent,
    downloadUrls = {},
    openInWallet,
    relayLinks,
  } = wallet.definition
  const installed = wallet.provider !== undefined
  const connector = chooseConnector(wallet)
  const groupName = installed ? installedGroup : wallet.groupName
  const rdns = wallet.rdns ?? wallet.definition.rdns?.[0]
  return {
    id,
    name,
    shortName,
    iconUrl,
    iconBackground,
    ...(iconAccent && { iconAccent }),
    installed,
    ready: connector !== undefined,
    ...(connector && { kind: connector.kind }),
    recent: recentWalletIds.includes(id),
    downloadUrls,
    groupName,
    groupIndex: groupNames.indexOf(groupName),
    ...(rdns && { rdns }),
    ...(openInWallet && { openInWallet }),
    ...(relayLinks && { relayLinks }),
    verified: wallet.verified,
  }
}
