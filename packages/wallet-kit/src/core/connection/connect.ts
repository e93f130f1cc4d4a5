import { toWalletKitError } from '../lib/errors.ts'
import { abortable, createCancelledError } from '../lib/promises.ts'
import { readSession } from '../signIn/session.ts'
import { type KitContext, signalWhile, update } from '../state/context.ts'
import type { Attempt, Connection } from '../state/state.ts'
import { endAttempt, failAttempt, reportAttempt, startAttempt } from '../state/transitions.ts'
import type { WalletId } from '../wallets/wallet.ts'
import { type AskWalletParameters, askWallet, disconnectUnused } from './askWallet.ts'
import { establishConnection, followAnswer } from './establishConnection.ts'

export type ConnectParameters = {
  /** The id of a configured wallet, or the rdns of an announced one. */
  walletId: WalletId
  /** Cancels the attempt. */
  signal?: AbortSignal | undefined
  /** Called with the pairing URI of the relay, for your own QR code, and again with a new URI when one expires. */
  onUri?: ((uri: string) => void) | undefined
}

/** Asks a wallet for its accounts, on behalf of the app. Cancels an earlier attempt. */
export async function connect(
  context: KitContext,
  { walletId, signal, onUri }: ConnectParameters,
): Promise<Connection> {
  if (signal?.aborted || context.signal.aborted) throw createCancelledError()
  const attempt: Attempt = { id: context.createAttemptId(), kind: 'connect', walletId }
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
    const [granted, , session] = await Promise.all([
      request.then((granted) => followAnswer(context, attempt, granted)),
      abortable(context.checksum.load(), signal),
      abortable(readSession(context), signal),
    ])
    const { signIn, answer } = granted
    const { signed } = answer
    const outcome =
      !session && signIn && signed && signed.address === answer.accounts[0]
        ? await abortable(signIn.verify(signed, signal), signal)
        : undefined
    // The attempt may have been cancelled since the last answer.
    if (signal.aborted) throw createCancelledError()
    release()
    const connection = establishConnection(context, { attempt, ...granted, session: session ?? outcome?.session })
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
