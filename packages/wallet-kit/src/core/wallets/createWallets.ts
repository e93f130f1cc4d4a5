import { ConfigurationError } from '../lib/errors.ts'
import type { KitStorage } from '../lib/storage.ts'
import { readProperty } from '../lib/untrusted.ts'
import { createDiscovery, type FoundWallet, findWallets, installedGroup } from './findWallets.ts'
import { findLimits } from './userAgent.ts'
import type {
  AppDetails,
  Connector,
  ConnectorContext,
  ListedWalletId,
  WalletDefinition,
  WalletGroup,
  WalletOption,
} from './wallet.ts'

/** A wallet of the list, with its connectors in order of preference. */
type Wallet = FoundWallet & {
  connectors: readonly Connector[]
  /**
   * `true` for a wallet that is not listed while no connector is ready, because the in-app browser that shows this
   * page does not support its connectors.
   */
  isHidden: boolean
}

type CreateWalletsParameters = {
  groups: readonly WalletGroup[]
  chainIds: readonly [number, ...number[]]
  config: AppDetails & { projectId?: string | undefined }
  read: ConnectorContext['read']
  storage: KitStorage
  signal: AbortSignal
  onChange: () => void
}

/** The wallets of a kit. */
export type Wallets = ReturnType<typeof createWallets>

/** Creates the list of the wallets that are configured or found on the page. */
export function createWallets({ groups, onChange, ...parameters }: CreateWalletsParameters) {
  const wallets = new Map<string, Wallet>()
  const getConnectors = cacheConnectors(parameters, (walletId) => wallets.get(walletId)?.provider)
  const find = () => {
    const found = findWallets(groups, discovery.getAnnouncements())
    wallets.clear()
    for (const wallet of found) wallets.set(wallet.definition.id, { ...wallet, ...getConnectors(wallet.definition) })
  }
  const refresh = () => {
    find()
    onChange()
  }
  // Some wallets announce themselves synchronously, before the list exists.
  let onAnnounced = () => {}
  const discovery = createDiscovery(() => onAnnounced())
  find()
  onAnnounced = refresh
  parameters.signal.addEventListener('abort', discovery.destroy)
  return {
    get: (walletId: string) => wallets.get(walletId),
    /** Finds a wallet by its id, or else by the rdns that it announced last time. */
    find: ({ walletId, rdns }: { walletId: string; rdns?: string }) =>
      wallets.get(walletId) ?? [...wallets.values()].find((wallet) => rdns !== undefined && wallet.rdns === rdns),
    /** Finds a wallet that may surround this page, and its connector. */
    findSurrounding: () => {
      for (const wallet of wallets.values()) {
        const connector = wallet.connectors.find(({ containsPage }) => containsPage?.())
        if (connector) return { wallet, connector }
      }
      return undefined
    },
    list: (recentWalletIds: readonly string[]) => listOptions([...wallets.values()], groups, recentWalletIds),
    /** Looks again for providers that are injected without an event. */
    refresh,
  }
}

type Connectors = Pick<Wallet, 'connectors' | 'isHidden'>

/** Returns a function that creates the connectors of a definition once. */
function cacheConnectors(
  { chainIds, config, read, storage, signal }: Omit<CreateWalletsParameters, 'groups' | 'onChange'>,
  getProvider: (walletId: string) => Wallet['provider'],
): (definition: WalletDefinition) => Connectors {
  const shared = new Map<object, unknown>()
  const common: Omit<ConnectorContext, 'findProvider'> = {
    ...{ chainIds, projectId: config.projectId, app: config, read, signal },
    relaySession: {
      read: () => storage.read('session', (value) => value),
      write: (value) => storage.write('session', value),
    },
    share: <T>(key: object, create: () => T): T => {
      if (!shared.has(key)) shared.set(key, create())
      return shared.get(key) as T
    },
  }
  const cached = new Map<string, Connectors>()
  return (definition) => {
    const { id } = definition
    const connectors =
      cached.get(id) ?? createConnectors(definition, { ...common, findProvider: () => getProvider(id) })
    cached.set(id, connectors)
    return connectors
  }
}

/** Creates the connectors of a definition, except those that the in-app browser does not support. */
function createConnectors(definition: WalletDefinition, context: ConnectorContext): Connectors {
  const { lacks, unreachable } = findLimits()
  const all = definition.connectors.map((create) => create(context, definition))
  if (!all.every(isConnector))
    throw new ConfigurationError(`No list of connectors was provided for wallet: ${definition.name}`)
  const connectors = all.filter(({ kind }) => !lacks.includes(kind))
  return { connectors, isHidden: unreachable === 'hidden' && connectors.length < all.length }
}

function isConnector(value: unknown): value is Connector {
  const isCallable = (key: string) => typeof readProperty(value, key) === 'function'
  return typeof readProperty(value, 'kind') === 'string' && isCallable('isReady') && isCallable('connect')
}

/** Returns the first connector that is ready. */
export function chooseConnector({ connectors }: Wallet): Connector | undefined {
  return connectors.find((connector) => connector.isReady())
}

/** Lists wallets by group, recent ones first. Leaves out wallets that cannot be reached from this page. */
function listOptions(
  wallets: readonly Wallet[],
  groups: readonly WalletGroup[],
  recentWalletIds: readonly string[],
): WalletOption[] {
  const groupNames = [installedGroup, ...groups.map(({ groupName }) => groupName)]
  const rank = (id: string) => (recentWalletIds.includes(id) ? recentWalletIds.indexOf(id) : recentWalletIds.length)
  return wallets
    .filter(
      (wallet) =>
        chooseConnector(wallet) || !(wallet.isHidden || wallet.connectors.some(({ containsPage }) => containsPage)),
    )
    .map((wallet) => createOption(wallet, recentWalletIds, groupNames))
    .sort((a, b) => a.groupIndex - b.groupIndex || rank(a.id) - rank(b.id))
}

/** One object, so that an equal list is recognized as equal. */
const noDownloads = {}

function createOption(wallet: Wallet, recentWalletIds: readonly string[], groupNames: readonly string[]): WalletOption {
  const { definition, provider, verified } = wallet
  const { rdns: names, flags, namespaces, connectCapabilities, connectors, ...shown } = definition
  const connector = chooseConnector(wallet)
  const groupName = provider ? installedGroup : wallet.groupName
  return {
    ...shown,
    id: shown.id as ListedWalletId,
    shortName: shown.shortName ?? shown.name,
    downloadUrls: shown.downloadUrls ?? noDownloads,
    installed: Boolean(provider),
    ready: Boolean(connector),
    kind: connector?.kind,
    recent: recentWalletIds.includes(shown.id),
    groupName,
    groupIndex: groupNames.indexOf(groupName),
    rdns: wallet.rdns ?? names?.[0],
    verified,
  }
}
