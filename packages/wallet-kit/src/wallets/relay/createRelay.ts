import type { EIP1193Provider } from 'viem'
import { abortable } from '../../core/abortable.ts'
import { RelayUnreachableError, toWalletKitError, WalletNotAvailableError } from '../../core/errors.ts'
import { parseAccounts, parseChainId } from '../../core/payloads.ts'
import { read } from '../../core/read.ts'
import type { ConnectorConnection, ConnectorConnectParameters, ConnectorContext } from '../../core/wallet.ts'
import { within } from '../../core/within.ts'
import {
  createSessionProvider,
  parseNamespaces,
  type SessionChoice,
  type SessionProvider,
} from './createSessionProvider.ts'
import { endSession } from './endSession.ts'
import type { LoadRelayClient, RelayClient, RelaySession } from './loadRelayClient.ts'
import { isExpired, type PairParameters, pair } from './pair.ts'
import { shareClient } from './shareClient.ts'
import { chainKey, startClient } from './startClient.ts'

export type RelayParameters = { load: LoadRelayClient; projectId: string; requestTimeout: number } & Pick<
  ConnectorContext,
  'app' | 'chainIds' | 'read' | 'session' | 'signal'
>

/** A kit's sessions over the relay. */
export type Relay = {
  /** Pairs with a wallet. Any session of before is ended. */
  connect: (parameters: ConnectorConnectParameters & Pick<PairParameters, 'uriTimeout'>) => Promise<ConnectorConnection>
  /** The session that was left open, if there is one. */
  restore: (parameters: Pick<PairParameters, 'signal' | 'uriTimeout'>) => Promise<ConnectorConnection | undefined>
  end: (provider: EIP1193Provider) => Promise<void>
}

/** Nothing is loaded and nobody contacted before `connect` or `restore` is called. */
export function createRelay({
  load,
  projectId,
  requestTimeout,
  app,
  chainIds,
  read: readNode,
  session: kept,
  signal,
}: RelayParameters): Relay {
  let current: SessionProvider | undefined
  const name = [projectId, app.relayUrl].filter(Boolean).join(' ')

  const follow = (topic: string | undefined, session: SessionProvider | undefined) => {
    current = session
    share.setTopic(topic)
  }
  const ofCurrent = (tell: (session: SessionProvider, payload: unknown) => void) => (payload: unknown) => {
    if (current && read(payload, 'topic') === current.topic) tell(current, payload)
  }
  const end = ofCurrent((session) => {
    follow(undefined, undefined)
    session.onEnd()
  })
  const share = shareClient({
    name,
    start: () => startClient({ load, projectId, app, chainIds, name }),
    listeners: {
      session_event: ofCurrent((session, payload) => session.onEvent(payload)),
      session_update: ofCurrent((session, payload) => session.onUpdate(read(read(payload, 'params'), 'namespaces'))),
      session_delete: end,
      session_expire: end,
    },
    signal,
  })

  const use = (client: RelayClient, session: RelaySession, choice?: Partial<SessionChoice>): ConnectorConnection => {
    const { topic } = session
    const onChoice = (choice: SessionChoice) => {
      kept.write({ ...choice, topic })
      void client.core.storage.setItem(chainKey, choice.chainId).catch(() => {})
    }
    const made = createSessionProvider({
      client,
      session,
      ...(choice && { choice }),
      onChoice,
      requestTimeout,
      chainIds,
      read: readNode,
    })
    follow(topic, made)
    const chainId = made.getChainId()
    onChoice({ chainId, account: choice?.account })
    return { provider: made.provider, accounts: made.getAccounts(), chainId }
  }

  const restore = async () => {
    const client = await share.get()
    const stored = kept.read()
    const topic = read(stored, 'topic')
    const session = client.session.getAll().find((it) => it.topic === topic && !share.isTaken(it.topic))
    if (!session || session.expiry * 1000 <= Date.now()) return undefined
    if (parseNamespaces(session.namespaces).accounts.size === 0) return undefined
    const chainId = parseChainId(read(stored, 'chainId'))
    const account = parseAccounts([read(stored, 'account')])?.[0]
    return use(client, session, { ...(chainId && { chainId }), account })
  }

  return {
    connect: async ({ signal, onUri, onDeclined, uriTimeout }) => {
      const session = await pairUntilAnswered({ share, chainIds, signal, onUri, uriTimeout }, onDeclined)
      const client = await share.get()
      for (const { topic } of client.session.getAll())
        if (topic !== session.topic && !share.isTaken(topic)) void endSession(client, topic)
      const connection = use(client, session)
      if (connection.accounts.length > 0) return connection
      follow(undefined, undefined)
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
      follow(undefined, undefined)
      await endSession(await share.get(), topic)
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
