import { assertParameters, createNoAccountError, toWalletKitError, WalletNotAvailableError } from '../lib/errors.ts'
import { abortable, createCancelledError } from '../lib/promises.ts'
import { isReconnecting } from '../provider/eip1193.ts'
import { readSession } from '../signIn/session.ts'
import type { ConnectSignIn } from '../state/authentication.ts'
import { type KitContext, signalWhile, update, waitForState } from '../state/context.ts'
import type { Attempt, AttemptEvent, Connection } from '../state/state.ts'
import { endAttempt, failAttempt, reportAttempt, reportPending, startAttempt } from '../state/transitions.ts'
import { chooseConnector } from '../wallets/createWallets.ts'
import { followWallet, settleAccounts } from '../wallets/injected.ts'
import type { Connector, ConnectorConnection, ListedWalletId, WalletDefinition, WalletId } from '../wallets/wallet.ts'

export type ConnectParameters<id extends string = WalletId> = {
  /** The id of a configured wallet, or the rdns of an announced one that no definition claims. */
  walletId: id
  /** Cancels the attempt. */
  signal?: AbortSignal | undefined
  /** Called with the pairing URI of the relay, for your own QR code, and again with a new URI when one expires. */
  onUri?: ((uri: string) => void) | undefined
}

/** Asks a wallet for its accounts, on behalf of the app. Cancels an earlier attempt. */
export async function connect(context: KitContext, parameters: ConnectParameters): Promise<Connection> {
  assertParameters(parameters, 'walletId')
  const { walletId, signal, onUri } = parameters
  if (signal?.aborted || context.signal.aborted) throw createCancelledError()
  const attempt: Attempt = { id: context.createAttemptId(), kind: 'connect', walletId: walletId as ListedWalletId }
  const earlier = context.store.getState().attempt
  if (earlier) update(context, (state) => reportAttempt(state, { type: 'cancelled', attempt: earlier.id }))
  const cancel = () => cancelAttempt(context, attempt.id)
  signal?.addEventListener('abort', cancel)
  try {
    return await runAttempt(context, attempt, { onUri })
  } finally {
    signal?.removeEventListener('abort', cancel)
  }
}

/** Runs an attempt until the wallet is connected. Late answers to earlier attempts are dropped. */
export async function runAttempt(
  context: KitContext,
  attempt: Attempt,
  parameters: Omit<AskWalletParameters, 'signal'>,
): Promise<Connection> {
  update(context, (state) => startAttempt(state, attempt))
  const { signal, release } = signalWhile(context, (state) => state.attempt === attempt)
  const request = askWallet(context, attempt, { ...parameters, signal })
  try {
    const [granted, connected, session] = await Promise.all([
      request.then((granted) => followAnswer(context, attempt.id, granted)),
      abortable(context.connected.load(), signal),
      abortable(readSession(context), signal),
    ])
    const { signIn, answer } = granted
    await settleAccounts(answer, signal)
    const outcome = !session && signIn ? await abortable(signIn.verify(answer, signal), signal) : undefined
    // The attempt may have been cancelled since the last answer.
    if (signal.aborted) throw createCancelledError()
    release()
    const connection = connected.establishConnection(context, {
      attempt,
      ...granted,
      session: session ?? outcome?.session,
    })
    if (outcome) signIn?.show(outcome)
    return connection
  } catch (thrown) {
    const error = toWalletKitError(thrown)
    if (!signal.aborted) update(context, (state) => failAttempt(state, attempt.id, error))
    request.then(
      (granted) => disconnectUnused(context, attempt.walletId, granted),
      () => {},
    )
    throw error
  } finally {
    release()
  }
}

/** Cancels an attempt, unless it has ended. */
export function cancelAttempt(context: KitContext, id: number): void {
  update(context, (state) => endAttempt(state, id))
}

type AskWalletParameters = {
  /** Fires when the attempt ends. */
  signal: AbortSignal
  onUri?: ((uri: string) => void) | undefined
  /** `true` if the connect dialog shows this attempt, with each new URI. */
  isShown?: boolean
}

/** The answer of a wallet, the connector that received it, and the sign-in if the wallet was asked for that too. */
export type Granted = { connector: Connector; answer: ConnectorConnection; signIn?: ConnectSignIn | undefined }

/** Asks a wallet for its accounts through its first ready connector. Shows the progress in the dialog. */
async function askWallet(
  context: KitContext,
  { id, walletId }: Attempt,
  { signal, onUri, isShown = false }: AskWalletParameters,
): Promise<Granted> {
  if (signal.aborted) throw createCancelledError()
  const connector = findConnector(context, walletId)
  const isOneApproval = signsInOnConnect(context.wallets.get(walletId)?.definition)
  const signIn = isOneApproval ? await abortable(prepareConnect(context), signal) : undefined
  // A connector may call back after the attempt has ended.
  const isCurrent = () => !context.signal.aborted && context.store.getState().attempt?.id === id
  const report = (event: AttemptEvent) => {
    if (isCurrent()) update(context, (state) => reportAttempt(state, event))
  }
  const request = callConnector(connector, {
    signal,
    onUri: (uri) => {
      if (!isCurrent()) return
      report({ type: 'uri', attempt: id, uri })
      onUri?.(uri)
    },
    ...(signIn && { signIn: signIn.ask }),
    ...(isShown && { onDeclined: () => report({ type: 'declined', attempt: id }) }),
  })
  request.then(
    (answer) => signal.aborted && disconnectUnused(context, walletId, { connector, answer }),
    () => {},
  )
  try {
    return { connector, signIn, answer: await abortable(request, signal) }
  } catch (thrown) {
    const error = toWalletKitError(thrown)
    if (error.name !== 'RequestPendingError' || !connector.reconnect) throw error
    update(context, (state) => reportPending(state, id, error))
    const { waitForAnswer } = await abortable(loadWaiting(), signal)
    return { connector, answer: await waitForAnswer(connector, signal) }
  }
}

/** Loads the code that waits for wallets which do not answer at once. */
export const loadWaiting = () => import('./waitForAnswer.ts')

function findConnector({ wallets }: KitContext, walletId: string): Connector {
  const wallet = wallets.get(walletId)
  // If none is ready, the error of the preferred connector is the most useful: it says that the wallet is missing.
  const connector = wallet && (chooseConnector(wallet) ?? wallet.connectors[0])
  if (connector) return connector
  const name = wallet?.definition.name ?? walletId
  throw new WalletNotAvailableError(`${name} cannot be reached from this page.`, { reason: 'notReachable' })
}

/** Calls `connect`; rejects also when the connector throws synchronously. */
async function callConnector(connector: Connector, parameters: Parameters<Connector['connect']>[0]) {
  return connector.connect(parameters)
}

/** Disconnects a wallet that connected although its attempt ended, unless it is in use again. */
function disconnectUnused({ store, signal }: KitContext, walletId: string, { connector, answer }: Granted): void {
  const state = store.getState()
  const isAsked = !signal.aborted && state.attempt?.walletId === walletId
  if (isAsked || state.provider === answer.provider) return
  connector.disconnect?.(answer.provider).catch(() => {})
}

/** Follows the wallet until the attempt ends: it may change account or network while the session is read. */
export function followAnswer<T extends Granted>(context: KitContext, attemptId: number, granted: T): T {
  const answer = { ...granted.answer }
  if (answer.accounts.length === 0) throw createNoAccountError()
  const disconnect = (reason: unknown) => {
    if (!isReconnecting(reason)) answer.accounts = []
  }
  void waitForState(context, (state) => state.attempt?.id !== attemptId).then(followWallet(answer, { disconnect }))
  return { ...granted, answer }
}

/** Checks whether a wallet signs in with the same approval as connecting. */
export const signsInOnConnect = (wallet: Pick<WalletDefinition, 'connectCapabilities'> | undefined): boolean =>
  wallet?.connectCapabilities?.includes('signInWithEthereum') === true

/**
 * Prepares sign-in with the same approval as connecting, if the wallet supports it. Resolves with `undefined` unless
 * sign-in is required. Never rejects.
 */
export async function prepareConnect({ config, signIn }: KitContext): Promise<ConnectSignIn | undefined> {
  if (!config.authentication?.required) return undefined
  return signIn.load().then(
    ({ prepareConnect }) => prepareConnect(),
    () => undefined,
  )
}
