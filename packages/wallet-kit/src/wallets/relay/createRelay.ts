import type { Address, EIP1193Provider } from 'viem'
import { RelayUnreachableError, toWalletKitError, WalletNotAvailableError } from '../../core/lib/errors.ts'
import { abortable, delay, withDeadline, withTimeout } from '../../core/lib/promises.ts'
import { isRecord, parseAccounts, parseChainId, readProperty } from '../../core/lib/untrusted.ts'
import { watchProvider } from '../../core/provider/eip1193.ts'
import type {
  ConnectAndSign,
  ConnectorConnection,
  ConnectorConnectParameters,
  ConnectorContext,
  SignedMessage,
} from '../../core/wallets/wallet.ts'
import {
  createSessionProvider,
  parseNamespaces,
  type SessionChoice,
  type SessionProvider,
} from './createSessionProvider.ts'
import type { LoadRelayClient, RelayClient, RelaySession } from './loadRelayClient.ts'
import {
  type Approved,
  isExpired,
  type PairParameters,
  pair,
  resumePairing,
  type SignInFields,
  topicOf,
  whileAlone,
  withdrawProposal,
} from './pair.ts'
import { type ClientShare, chainKey, shareClient, startClient } from './shareClient.ts'

type RelayParameters = { load: LoadRelayClient; projectId: string; requestTimeout: number } & Pick<
  ConnectorContext,
  'app' | 'chainIds' | 'read' | 'relaySession' | 'signal'
>

/** Milliseconds after which a code of the relay expires. */
const codeLifetime = 300_000

type RestoreParameters = Pick<PairParameters, 'signal' | 'uriTimeout'> & { walletId: string }

/** The relay sessions of one kit. `walletId` is the wallet that is picked, or that an earlier page picked. */
export type Relay = {
  /** Pairs with a wallet and ends earlier sessions of this kit. */
  connect: (parameters: ConnectorConnectParameters & RestoreParameters) => Promise<ConnectorConnection>
  /** Restores the stored session of the wallet, if it is still open, as soon as the wallet approves an account. */
  restore: (parameters: RestoreParameters) => Promise<ConnectorConnection | undefined>
  /** Waits for the answer to the code that an earlier page showed last, until that expires. */
  resume: (parameters: RestoreParameters) => Promise<ConnectorConnection | undefined>
  /** Returns `false` if the current session's wallet neither approved the chain nor switches on request. */
  canSwitchTo: (chainId: number) => boolean
  /** Returns the accounts that the wallet of the current session approved on a chain. */
  getAccounts: (chainId: number) => readonly Address[]
  end: (provider: EIP1193Provider) => Promise<void>
}

/** Creates a kit's access to the relay. It loads and contacts nothing before `connect` or `restore`. */
export function createRelay(parameters: RelayParameters): Relay {
  const { load, projectId, app, chainIds, signal } = parameters
  const name = [projectId, app.relayUrl].filter(Boolean).join(' ')
  const start = () => startClient({ load, projectId, app, chainIds, name })
  const context: RelayContext = {
    ...parameters,
    share: shareClient({
      name,
      start,
      signal,
      listeners: {
        session_event: (payload) => withCurrent(context, payload, (session) => session.onEvent(payload)),
        session_update: (payload) =>
          withCurrent(context, payload, (session) =>
            session.onUpdate(readProperty(readProperty(payload, 'params'), 'namespaces')),
          ),
        session_delete: (payload) => withCurrent(context, payload, (session) => onEnd(context, session)),
        session_expire: (payload) => withCurrent(context, payload, (session) => onEnd(context, session)),
      },
      onEnded: (topic) =>
        withCurrent(context, { topic }, (session) => {
          setCurrent(context, undefined)
          session.leave()
        }),
    }),
  }
  return {
    connect: (parameters) => connect(context, parameters),
    restore: (parameters) => restore(context, parameters),
    resume: (parameters) => resume(context, parameters),
    canSwitchTo: (chainId) => context.current?.canSwitchTo(chainId) ?? true,
    getAccounts: (chainId) => context.current?.getAccounts(chainId) ?? [],
    end: async (provider) => {
      if (context.current?.provider !== provider) return
      const { topic, cancelRequests } = context.current
      cancelRequests()
      setCurrent(context, undefined)
      // If the connection was cancelled meanwhile, the kit still uses the session that this one replaced.
      context.replaced?.onEnd()
      await context.share.end(topic)
    },
  }
}

/** State shared by the functions below; `current` is the kit's session, and `replaced` the ended one before it. */
type RelayContext = RelayParameters & {
  share: ClientShare
  current?: SessionProvider | undefined
  replaced?: SessionProvider | undefined
}

function setCurrent(context: RelayContext, session: SessionProvider | undefined): void {
  // The next page does not look for a session that has ended.
  if (!session && context.current?.topic === readProperty(context.relaySession.read(), 'topic'))
    store(context, { topic: undefined })
  context.current = session
  context.share.setTopic(session?.topic)
}

/** Calls `handle` if an event belongs to the kit's session. */
function withCurrent({ current }: RelayContext, payload: unknown, handle: (session: SessionProvider) => void): void {
  if (current && readProperty(payload, 'topic') === current.topic) handle(current)
}

function onEnd(context: RelayContext, session: SessionProvider): void {
  setCurrent(context, undefined)
  session.onEnd()
}

async function connect(
  context: RelayContext,
  { signal, onUri, onDeclined, uriTimeout, signIn, walletId }: Parameters<Relay['connect']>[0],
): Promise<ConnectorConnection> {
  const { share, chainIds } = context
  let topic = ''
  const show = (uri: string) => {
    topic = topicOf(uri)
    // Only the connect dialog is told of declines.
    store(context, { pairing: { topic, walletId, expiry: Date.now() + codeLifetime, isShown: Boolean(onDeclined) } })
    onUri(uri)
  }
  const ask = (fields?: SignInFields) =>
    pairUntilAnswered({ share, chainIds, signal, onUri: show, uriTimeout, fields }, onDeclined)
  try {
    return await openApproved(context, walletId, (signIn && (await askAndSign(ask, signIn))) ?? (await ask()))
  } finally {
    forgetPairing(context, topic)
  }
}

/** Opens a session that the wallet has just approved, in place of an earlier one. */
async function openApproved(
  context: RelayContext,
  walletId: string,
  { session, signed }: Approved,
): Promise<ConnectorConnection> {
  const { share } = context
  const client = await share.get()
  if (parseNamespaces(session.namespaces).accounts.size === 0) {
    void share.end(session.topic)
    throw new WalletNotAvailableError('The wallet returned no account. Choose one there and try again.', {
      reason: 'noAccount',
    })
  }
  share.pass(client, session)
  const earlier = [context.current?.topic, readProperty(context.relaySession.read(), 'topic')]
  context.replaced = context.current
  context.replaced?.cancelRequests()
  const connection = withSigned(toConnection(openSession(context, client, session, { walletId })), signed)
  for (const { topic } of client.session.getAll())
    if (topic !== session.topic && earlier.includes(topic) && !share.isTaken(topic)) void share.end(topic)
  return connection
}

async function resume(
  context: RelayContext,
  { signal, uriTimeout, walletId }: RestoreParameters,
): Promise<ConnectorConnection | undefined> {
  const { topic: stored, expiry } = readPairing(context)
  const topic = String(stored)
  // Given up while this code was loading.
  if (stored && !isAwaited(context, topic)) await giveUpUnlessShown(context, topic)
  let isOurs = false
  const ask = async (signal: AbortSignal): Promise<ConnectorConnection | undefined> => {
    const asked = await whileAlone(topic, { signal }, async () => {
      // Another tab may have received the answer, or connected another wallet.
      isOurs = isAwaited(context, topic)
      if (!isOurs) return undefined
      const client = await Promise.race([context.share.get(), delay(uriTimeout, signal)])
      return client ? openAwaited(context, client, { topic, walletId, signal }) : 'late'
    })
    if (asked !== 'late') return asked
    // Another tab may load the client sooner.
    await abortable(context.share.get(), signal)
    return ask(signal)
  }
  const askOrGiveUp = async (signal: AbortSignal) => {
    try {
      return await ask(signal)
    } catch (thrown) {
      if (signal.aborted && stored) (isOurs ? giveUp : giveUpUnlessShown)(context, topic).catch(() => {})
      throw thrown
    }
  }
  return withDeadline(askOrGiveUp, expiry - Date.now(), signal)
}

/** Waits until the wallet answers a code, and opens its session, unless another tab has. Rejects when it is rejected there. */
async function openAwaited(
  context: RelayContext,
  client: RelayClient,
  { topic, walletId, signal }: { topic: string; walletId: string; signal: AbortSignal },
): Promise<ConnectorConnection | undefined> {
  const session = await resumePairing(client, topic, signal).catch((thrown) => {
    if (!signal.aborted) forgetPairing(context, topic)
    throw thrown
  })
  const isWanted = isAwaited(context, topic)
  forgetPairing(context, topic)
  if (isWanted) return openApproved(context, walletId, { session })
  endUnopened(context, session)
  return undefined
}

/** Gives up a code unless another tab shows it or waits for its answer. */
async function giveUpUnlessShown(context: RelayContext, topic: string): Promise<void> {
  await whileAlone(topic, { ifAvailable: true }, async (lock) => lock && giveUp(context, topic))
}

/** Withdraws a code, or ends the session that the wallet has approved. A destroyed kit leaves it to the next one. */
async function giveUp(context: RelayContext, topic: string): Promise<void> {
  if (context.signal.aborted) return
  forgetPairing(context, topic)
  const client = await context.share.get()
  const find = (signal: AbortSignal) => resumePairing(client, topic, signal)
  await withDeadline(find, deliveryTime).then(
    (session) => endUnopened(context, session),
    () => withdrawProposal(client, topic),
  )
}

/** Milliseconds in which the relay delivers what a wallet has answered while there was no page. */
const deliveryTime = 3_000

/** Ends a session, unless another tab has opened it. */
function endUnopened({ share, relaySession }: RelayContext, { topic }: RelaySession): void {
  if (readProperty(relaySession.read(), 'topic') !== topic) void share.end(topic)
}

/** Changes what the kit stores for the next page: the current session, and the pairing whose code is shown. */
function store({ relaySession }: RelayContext, change: object): void {
  const stored = relaySession.read()
  relaySession.write({ ...(isRecord(stored) && stored), ...change })
}

function readPairing({ relaySession }: RelayContext) {
  const pairing = readProperty(relaySession.read(), 'pairing')
  return { topic: readProperty(pairing, 'topic'), expiry: Number(readProperty(pairing, 'expiry')) }
}

/** Checks whether the answer to a code is still awaited, in any tab. A changed clock makes no code live longer. */
function isAwaited(context: RelayContext, topic: string): boolean {
  const pairing = readPairing(context)
  const left = pairing.expiry - Date.now()
  return pairing.topic === topic && left > 0 && left <= codeLifetime
}

/** Forgets a pairing that has ended, unless another one is stored by now. */
function forgetPairing(context: RelayContext, topic: string): void {
  if (readPairing(context).topic === topic) store(context, { pairing: undefined })
}

async function restore(
  context: RelayContext,
  { signal, uriTimeout, walletId }: RestoreParameters,
): Promise<ConnectorConnection | undefined> {
  const createError = () => new RelayUnreachableError('The relay could not be loaded.')
  const client = await abortable(withTimeout(context.share.get(), uriTimeout, createError), signal)
  const stored = context.relaySession.read()
  const topic = readProperty(stored, 'topic')
  // Another tab may have connected another wallet. Earlier versions stored no id.
  if ((readProperty(stored, 'walletId') ?? walletId) !== walletId) return undefined
  const session = client.session.getAll().find((it) => it.topic === topic && !context.share.isTaken(it.topic))
  if (!session || session.expiry * 1000 <= Date.now()) return undefined
  const chainId = parseChainId(readProperty(stored, 'chainId'))
  const account = parseAccounts([readProperty(stored, 'account')])?.[0]
  const current = context.current?.topic === topic ? context.current : undefined
  const opened = current ?? openSession(context, client, session, { ...(chainId && { chainId }), account, walletId })
  await waitForAccount(context, opened, signal)
  return context.current === opened ? toConnection(opened) : undefined
}

/** Waits until the wallet, which may have withdrawn its accounts for a while, approves one, or the session ends. */
async function waitForAccount(context: RelayContext, session: SessionProvider, signal: AbortSignal): Promise<void> {
  let stop = () => {}
  const reported = new Promise<void>((resolve) => {
    const check = () => (session.getAccounts().length > 0 || context.current !== session) && resolve()
    stop = watchProvider(session.provider, { accountsChanged: check, disconnect: check })
    check()
  })
  await abortable(reported, signal).finally(stop)
}

/** Creates the provider of a session, and stores the session as the kit's own. */
function openSession(
  context: RelayContext,
  client: RelayClient,
  session: RelaySession,
  { walletId, ...choice }: Partial<SessionChoice> & { walletId: string },
): SessionProvider {
  const { requestTimeout, chainIds, read } = context
  const onChoice = (choice: SessionChoice) => {
    store(context, { ...choice, topic: session.topic, walletId })
    void client.core.storage.setItem(chainKey, choice.chainId).catch(() => {})
  }
  const opened = createSessionProvider({ client, session, choice, onChoice, requestTimeout, chainIds, read })
  setCurrent(context, opened)
  onChoice({ chainId: opened.getChainId(), account: choice.account })
  return opened
}

const toConnection = ({ provider, getAccounts, getChainId }: SessionProvider): ConnectorConnection => ({
  provider,
  accounts: getAccounts(),
  chainId: getChainId(),
})

/**
 * Pairs and asks the wallet to sign the kit's message, like a provider with `wallet_connect`.
 * https://eips.ethereum.org/EIPS/eip-7846
 */
async function askAndSign(
  ask: (fields: SignInFields) => Promise<Approved>,
  signIn: ConnectAndSign,
): Promise<Approved | undefined> {
  let approved: Approved | undefined
  const request = async ({ params }: { params: [{ capabilities: { signInWithEthereum: SignInFields } }] }) => {
    approved = await ask(params[0].capabilities.signInWithEthereum)
    const { address, ...signInWithEthereum } = approved.signed ?? {}
    return { accounts: [{ address, capabilities: { signInWithEthereum } }] }
  }
  const answer = await signIn({ request } as unknown as EIP1193Provider)
  return approved && { session: approved.session, signed: answer?.signed }
}

/** Adds the message if the selected account signed it. */
function withSigned(connection: ConnectorConnection, signed: SignedMessage | undefined): ConnectorConnection {
  return signed && signed.address === connection.accounts[0] ? { ...connection, signed } : connection
}

/**
 * Pairs again with a new URI whenever one expires or is declined. A wallet that fails to sign in is asked only to
 * connect. The same applies after an expiry, because the server's nonce may expire too.
 */
async function pairUntilAnswered(parameters: PairParameters, onDeclined: (() => void) | undefined): Promise<Approved> {
  let { fields } = parameters
  for (;;) {
    try {
      return await pair({ ...parameters, fields })
    } catch (thrown) {
      const { name } = toWalletKitError(thrown)
      const isDeclined = name === 'UserRejectedError'
      const isRepeated = isExpired(thrown) || (isDeclined && onDeclined) || (fields && name === 'WalletKitError')
      if (parameters.signal.aborted || !isRepeated) throw thrown
      if (isDeclined) onDeclined?.()
      else fields = undefined
    }
  }
}
