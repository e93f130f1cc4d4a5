import type { EIP1193Provider } from 'viem'
import { abortable } from '../../core/abortable.ts'
import { RelayUnreachableError, toWalletKitError, WalletNotAvailableError } from '../../core/errors.ts'
import { parseAccounts, parseChainId } from '../../core/payloads.ts'
import { read } from '../../core/read.ts'
import type { ConnectorConnection, ConnectorConnectParameters, ConnectorContext } from '../../core/wallet.ts'
import {
  createSessionProvider,
  parseNamespaces,
  type SessionChoice,
  type SessionProvider,
} from './createSessionProvider.ts'
import { endSession } from './endSession.ts'
import type { LoadRelayClient, RelayClient, RelaySession } from './loadRelayClient.ts'
import { isExpired, type PairParameters, pair } from './pair.ts'
import { within } from '../../core/within.ts'

export type RelayParameters = { load: LoadRelayClient; projectId: string; requestTimeout: number } & Pick<
  ConnectorContext,
  'app' | 'chainIds' | 'read' | 'signal'
>

/** The one relay client of a kit and its sessions. */
export type Relay = {
  /** Pairs with a wallet. Any session of before is ended. */
  connect: (parameters: ConnectorConnectParameters & Pick<PairParameters, 'uriTimeout'>) => Promise<ConnectorConnection>
  /** The session that was left open, if there is one. */
  restore: (parameters: Pick<PairParameters, 'signal' | 'uriTimeout'>) => Promise<ConnectorConnection | undefined>
  end: (provider: EIP1193Provider) => Promise<void>
}

const choiceKey = 'walletKit/session'

/** Nothing is loaded and nobody contacted before `connect` or `restore` is called. */
export function createRelay({
  load,
  projectId,
  requestTimeout,
  app,
  chainIds,
  read: readNode,
  signal,
}: RelayParameters): Relay {
  let loading: Promise<RelayClient> | undefined
  let current: SessionProvider | undefined

  const start = async () => {
    const { SignClient } = await load()
    const { appName, appUrl = globalThis.location?.origin ?? '', appIcon, relayUrl } = app
    const client = await SignClient.init({
      projectId,
      ...(relayUrl && { relayUrl }),
      metadata: { name: appName, description: appName, url: appUrl, icons: appIcon ? [appIcon] : [] },
      telemetryEnabled: false,
      logger: 'silent',
    })
    const isCurrent = (payload: unknown) => current !== undefined && read(payload, 'topic') === current.topic
    client.on('session_event', (payload) => isCurrent(payload) && current?.onEvent(payload))
    client.on('session_update', (payload) => {
      if (isCurrent(payload)) current?.onUpdate(read(read(payload, 'params'), 'namespaces'))
    })
    for (const event of ['session_delete', 'session_expire'] as const)
      client.on(event, (payload) => {
        if (!isCurrent(payload)) return
        const ended = current
        current = undefined
        ended?.onEnd()
      })
    const stop = () => {
      client.core.heartbeat.stop()
      client.core.relayer.transportClose().catch(() => {})
    }
    signal.addEventListener('abort', stop)
    if (signal.aborted) stop()
    return client
  }

  const getClient = () => {
    loading ??= start().catch((thrown) => {
      loading = undefined
      throw thrown
    })
    return loading
  }

  const use = (client: RelayClient, session: RelaySession, choice?: Partial<SessionChoice>): ConnectorConnection => {
    const { topic } = session
    const onChoice = (choice: SessionChoice) =>
      void client.core.storage.setItem(choiceKey, { ...choice, topic }).catch(() => {})
    current = createSessionProvider({
      client,
      session,
      ...(choice && { choice }),
      onChoice,
      requestTimeout,
      chainIds,
      read: readNode,
    })
    return { provider: current.provider, accounts: current.getAccounts(), chainId: current.getChainId() }
  }

  const restore = async () => {
    const client = await getClient()
    const session = client.session
      .getAll()
      .filter(({ expiry, namespaces }) => expiry * 1000 > Date.now() && parseNamespaces(namespaces).accounts.size > 0)
      .sort((a, b) => b.expiry - a.expiry)[0]
    if (!session) return undefined
    const stored = await client.core.storage.getItem(choiceKey).catch(() => undefined)
    const isOfSession = read(stored, 'topic') === session.topic
    const chainId = parseChainId(read(stored, 'chainId'))
    const account = parseAccounts([read(stored, 'account')])?.[0]
    return use(client, session, isOfSession ? { ...(chainId && { chainId }), account } : {})
  }

  return {
    connect: async ({ signal, onUri, onDeclined, uriTimeout }) => {
      const session = await pairUntilAnswered({ getClient, chainIds, signal, onUri, uriTimeout }, onDeclined)
      const client = await getClient()
      for (const { topic } of client.session.getAll()) if (topic !== session.topic) void endSession(client, topic)
      const connection = use(client, session)
      if (connection.accounts.length > 0) return connection
      void endSession(client, session.topic)
      throw new WalletNotAvailableError('The wallet gave no account. Choose one there and try again.')
    },
    restore: ({ signal, uriTimeout }) => {
      const away = () => new RelayUnreachableError('The relay client could not be loaded.')
      return abortable(within(restore(), uriTimeout, away), signal)
    },
    end: async (provider) => {
      if (current?.provider !== provider) return
      const { topic } = current
      current = undefined
      await endSession(await getClient(), topic)
    },
  }
}

/** A code that nobody used in time, or to which the person said no, is followed by a new one. */
async function pairUntilAnswered(parameters: PairParameters, onDeclined: (() => void) | undefined) {
  for (;;) {
    try {
      return await pair(parameters)
    } catch (thrown) {
      const isDeclined = toWalletKitError(thrown).name === 'UserRejectedError'
      if (parameters.signal.aborted || !(isExpired(thrown) || (isDeclined && onDeclined))) throw thrown
      if (isDeclined) onDeclined?.()
    }
  }
}
