import { abortable, delay } from './abortable.ts'
import { showUnconnected } from './connection.ts'
import { type Attempt, abandonAttempt, type KitContext, startAttempt } from './context.ts'
import { chooseConnector } from './createWallets.ts'
import { AbortedError, toWalletKitError, WalletNotAvailableError } from './errors.ts'
import { establish } from './establish.ts'
import { follow } from './follow.ts'
import { reportAttempt } from './moveConnectDialog.ts'
import { readSession } from './session.ts'
import type { Connection } from './state.ts'
import type { Connector, ConnectorConnection } from './wallet.ts'

export type ConnectParameters = {
  walletId: string
  signal?: AbortSignal
  /** A pairing URI of the relay, to be shown as a QR code of your own. Called again when a code expires. */
  onUri?: (uri: string) => void
}

/** How often a wallet with an open request is asked whether it has been answered. */
const pollInterval = 1_000

/** Asks a wallet for its accounts. Any earlier try is abandoned, and whatever it answers later changes nothing. */
export async function connect(
  context: KitContext,
  { walletId, signal, onUri, attemptId }: ConnectParameters & { attemptId?: number },
): Promise<Connection> {
  const earlier = context.attempt
  const attempt = startAttempt(context, { kind: 'connect', walletId, id: attemptId })
  // The app itself asks another wallet than the person did: the dialog offers to ask again.
  if (earlier && attemptId === undefined) reportAttempt(context, { type: 'rejected', attempt: earlier.id })
  const cancel = () => {
    if (context.attempt === attempt) cancelAttempt(context)
  }
  signal?.addEventListener('abort', cancel)
  if (!context.live) showUnconnected(context, { status: 'connecting', walletId })
  if (signal?.aborted) cancel()

  const asked = askWallet(context, attempt, { onUri, isShown: attemptId !== undefined })
  try {
    const [granted, { checksumAddress }, session] = await Promise.all([
      asked,
      abortable(context.loadChecksum(), attempt.controller.signal),
      abortable(readSession(context), attempt.controller.signal),
    ])
    // Between the answer and this line the try may have been given up.
    if (context.attempt !== attempt) throw new AbortedError('The connection was given up.')
    return establish(context, { ...granted, session, checksumAddress })
  } catch (thrown) {
    const error = toWalletKitError(thrown)
    if (context.attempt === attempt) {
      delete context.attempt
      const rejected = error.name === 'UserRejectedError'
      if (!context.live) showUnconnected(context, { status: 'disconnected', ...(!rejected && { error }) })
      reportAttempt(context, {
        attempt: attempt.id,
        ...(rejected ? { type: 'rejected' } : { type: 'failed', error }),
      })
    } else
      asked.then(
        ({ connector, answer }) => giveBack(context, { walletId, connector, provider: answer.provider }),
        () => {},
      )
    throw error
  } finally {
    signal?.removeEventListener('abort', cancel)
  }
}

/** Gives up the try under way. */
export function cancelAttempt(context: KitContext): void {
  if (!context.attempt) return
  abandonAttempt(context)
  if (!context.live) showUnconnected(context, { status: 'disconnected' })
}

async function askWallet(
  context: KitContext,
  { id, walletId, controller: { signal } }: Attempt,
  { onUri, isShown }: { onUri: ConnectParameters['onUri']; isShown: boolean },
) {
  const wallet = context.wallets.get(walletId)
  // The last way says best why the wallet cannot be reached.
  const connector = wallet && (chooseConnector(wallet) ?? wallet.connectors.at(-1))
  if (!wallet || !connector)
    throw new WalletNotAvailableError(`${wallet?.definition.name ?? walletId} cannot be reached from this page.`)

  // A connector may go on talking after the try has ended.
  const whileAsked = (report: () => void) => {
    if (context.attempt?.id === id) report()
  }
  const asked = ask(connector, {
    signal,
    onUri: (uri) =>
      whileAsked(() => {
        reportAttempt(context, { type: 'uri', attempt: id, uri })
        onUri?.(uri)
      }),
    ...(isShown && {
      onDeclined: () => whileAsked(() => reportAttempt(context, { type: 'declined', attempt: id })),
    }),
  })
  asked.then(
    ({ provider }) => signal.aborted && giveBack(context, { walletId, connector, provider }),
    () => {},
  )
  try {
    return { wallet, connector, answer: await abortable(asked, signal) }
  } catch (thrown) {
    const error = toWalletKitError(thrown)
    if (error.name !== 'RequestPendingError' || !connector.reconnect) throw error
    if (!context.live) context.store.setState({ error })
    reportAttempt(context, { type: 'alreadyOpen', attempt: id })
    return { wallet, connector, answer: await waitForAnswer(connector, signal) }
  }
}

/** A promise also of a connector that throws on the spot. */
async function ask(connector: Connector, parameters: Parameters<Connector['connect']>[0]) {
  return connector.connect(parameters)
}

/** A wallet that grants what nobody waits for any more is disconnected, unless it is in use again. */
function giveBack(
  { attempt, live }: KitContext,
  { walletId, connector, provider }: { walletId: string; connector: Connector } & Pick<ConnectorConnection, 'provider'>,
): void {
  if (attempt?.walletId === walletId || live?.walletId === walletId) return
  connector.disconnect?.(provider).catch(() => {})
}

/** The person answers the earlier request in the wallet: it then tells its accounts, or gives them when asked. */
async function waitForAnswer(connector: Connector, signal: AbortSignal): Promise<ConnectorConnection> {
  for (;;) {
    const answer = await abortable(reconnectQuietly(connector, signal), signal)
    if (answer) return answer
    await abortable(nextNews(connector, signal), signal)
  }
}

async function reconnectQuietly(connector: Connector, signal: AbortSignal) {
  try {
    return await connector.reconnect?.({ signal })
  } catch {
    return undefined
  }
}

function nextNews(connector: Connector, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const stopped = new AbortController()
    const end = () => {
      stop?.()
      signal.removeEventListener('abort', end)
      stopped.abort()
      resolve()
    }
    const provider = connector.getProvider?.()
    const stop = provider && follow(provider, { accountsChanged: end })
    signal.addEventListener('abort', end)
    void delay(pollInterval, stopped.signal).then(end)
  })
}
