import { toWalletKitError, WalletNotAvailableError } from '../lib/errors.ts'
import { abortable, createCancelledError } from '../lib/promises.ts'
import type { ConnectorConnection } from '../provider/requestAccounts.ts'
import type { ConnectSignIn } from '../state/authentication.ts'
import { type KitContext, update } from '../state/context.ts'
import type { AttemptEvent } from '../state/dialog.ts'
import type { Attempt } from '../state/state.ts'
import { reportAttempt, reportPending } from '../state/transitions.ts'
import { chooseConnector } from '../wallets/createWallets.ts'
import type { Connector } from '../wallets/wallet.ts'
import { prepareConnect, signsInOnConnect } from './signInOnConnect.ts'

export type AskWalletParameters = {
  /** Fires when the attempt ends. */
  signal: AbortSignal
  onUri?: ((uri: string) => void) | undefined
  /** `true` if the connect dialog shows this attempt, with each new URI. */
  isShown?: boolean
}

/** The answer of a wallet, the connector that received it, and the sign-in if the wallet was asked for that too. */
export type Granted = { connector: Connector; answer: ConnectorConnection; signIn?: ConnectSignIn | undefined }

/** Asks a wallet for its accounts through its first ready connector. Shows the progress in the dialog. */
export async function askWallet(
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
    const { waitForAnswer } = await abortable(import('./waitForAnswer.ts'), signal)
    return { connector, answer: await waitForAnswer(connector, signal) }
  }
}

function findConnector({ wallets }: KitContext, walletId: string): Connector {
  const wallet = wallets.get(walletId)
  // If none is ready, the error of the preferred connector is the most useful: it says that the wallet is missing.
  const connector = wallet && (chooseConnector(wallet) ?? wallet.connectors[0])
  if (connector) return connector
  throw new WalletNotAvailableError(`${wallet?.definition.name ?? walletId} cannot be reached from this page.`)
}

/** Calls `connect`; rejects also when the connector throws synchronously. */
async function callConnector(connector: Connector, parameters: Parameters<Connector['connect']>[0]) {
  return connector.connect(parameters)
}

/** Disconnects a wallet that connected although its attempt ended, unless it is in use again. */
export function disconnectUnused(
  { store, signal }: KitContext,
  walletId: string,
  { connector, answer }: Granted,
): void {
  const state = store.getState()
  const isAsked = !signal.aborted && state.attempt?.walletId === walletId
  if (isAsked || state.provider === answer.provider) return
  connector.disconnect?.(answer.provider).catch(() => {})
}
