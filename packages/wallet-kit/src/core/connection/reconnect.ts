import { abortable, createCancelledError, delay, untilIdle } from '../lib/promises.ts'
import { readSession } from '../signIn/session.ts'
import { type KitContext, signalWhile, update, waitForState } from '../state/context.ts'
import { type Attempt, type Connection, toConnection } from '../state/state.ts'
import { endAttempt, hideAttempt, startAttempt, startReconnect } from '../state/transitions.ts'
import type { Wallets } from '../wallets/createWallets.ts'
import { settleAccounts } from '../wallets/injected.ts'
import type { ListedWalletId } from '../wallets/wallet.ts'
import { followAnswer, type Granted, loadWaiting } from './connect.ts'
import { parseAwaited, parseStoredConnection, type StoredConnection } from './runEffects.ts'

/** Milliseconds after which a wallet counts as silent. */
const silence = 2_000

/**
 * Connects the wallet that contains the page, or restores the last connection, without a prompt. Never rejects. Resolves
 * with `undefined` when the wallet is missing, silent or locked, and then restores the connection as soon as the wallet
 * gives an account, unless the person has connected or disconnected meanwhile.
 */
export async function reconnect(context: KitContext): Promise<Connection | undefined> {
  start(context, 'reconnect')
  const current = context.store.getState()
  if (current.attempt?.kind !== 'reconnect') return toConnection(current)
  const { id } = current.attempt
  const ended = await waitForState(context, (next) => next.attempt?.id !== id || next.attempt.kind === 'background')
  return ended && toConnection(ended)
}

/** Restores the connection of a wallet that was locked, as soon as it gives an account again. */
export const restoreInBackground = (context: KitContext): void => start(context, 'background')

/** Starts to restore the last connection, if there is one, nothing is connected and no other attempt is under way. */
function start(context: KitContext, kind: 'reconnect' | 'background'): void {
  const state = context.store.getState()
  const awaited = context.storage.read('session', parseAwaited)
  // An attempt that waits for such an answer gives it up when it ends.
  const isFree = !state.attempt || (state.attempt.kind === 'background' && !awaited)
  if (toConnection(state) || !isFree || context.signal.aborted) return
  const stored = context.storage.read('connection', parseStoredConnection)
  const surrounding = kind === 'reconnect' ? context.wallets.findSurrounding() : undefined
  const walletId =
    (surrounding?.wallet.definition.id as ListedWalletId | undefined) ?? stored?.walletId ?? awaited?.walletId
  if (walletId === undefined) return
  const attempt: Attempt = { id: context.createAttemptId(), kind, walletId }
  const isShown = stored && kind === 'reconnect'
  update(context, (state) =>
    isShown ? startReconnect(state, attempt, stored, context.config) : startAttempt(state, attempt),
  )
  const { signal } = signalWhile(context, (state) => state.attempt?.id === attempt.id)
  void restore(context, attempt, { surrounding, stored, awaited, signal })
}

type Found = NonNullable<ReturnType<Wallets['findSurrounding']>>
type RestoreParameters = {
  surrounding: Found | undefined
  stored: StoredConnection | undefined
  /** The wallet whose answer an earlier page awaited. */
  awaited: Pick<StoredConnection, 'walletId' | 'kind'> | undefined
  /** Fires when the attempt ends. */
  signal: AbortSignal
}

async function restore(context: KitContext, attempt: Attempt, parameters: RestoreParameters): Promise<void> {
  const { surrounding, stored, signal } = parameters
  try {
    const [granted, connected, session] = await Promise.all([
      ask(context, attempt.id, parameters).then((granted) => granted && followAnswer(context, attempt.id, granted)),
      // The browser paints the account first.
      abortable(untilIdle().then(context.connected.load), signal),
      abortable(readSession(context), signal),
    ])
    if (granted) {
      const isLate = context.store.getState().attempt?.kind === 'background'
      const latest = isLate ? await abortable(readSession(context), signal) : session
      await settleAccounts(granted.answer, signal)
      const { walletId } = granted
      // Another tab may have replaced the stored connection or removed it.
      const last = context.storage.read('connection', parseStoredConnection)?.walletId
      const isSurrounding = surrounding && walletId === attempt.walletId
      if (!signal.aborted && (isSurrounding || last === stored?.walletId || last === walletId))
        return void connected.establishConnection(context, {
          ...granted,
          attempt: { ...attempt, walletId },
          session: latest,
        })
    }
  } catch {
    // When a page loads, a missing or broken wallet is not an error.
  }
  if (!signal.aborted) update(context, (state) => endAttempt(state, attempt.id))
}

type Restored = Granted & { walletId: ListedWalletId }

/** Asks the wallet that contains the page, then the one that was connected last, until it gives accounts. */
async function ask(
  context: KitContext,
  id: number,
  { surrounding, stored, awaited, signal }: RestoreParameters,
): Promise<Restored | undefined> {
  const first = surrounding && askConnector(surrounding, signal)
  const answer = first && (await Promise.race([first, delay(silence, signal)]))
  if (answer) return answer
  const hide = () => update(context, (state) => hideAttempt(state, id))
  const last = stored && askLast(context, stored, hide, signal).catch(() => undefined)
  const found = awaited && findReady(context, awaited)
  return first || found
    ? loadWaiting().then(
        ({ firstAnswer }) =>
          firstAnswer(context, { first, last, awaited: found && { ...awaited, ...found }, hide, signal }),
        () => last,
      )
    : last
}

async function askLast(
  context: KitContext,
  stored: StoredConnection,
  hide: () => void,
  signal: AbortSignal,
): Promise<Restored | undefined> {
  const began = Date.now()
  const last = {
    find: () => findReady(context, stored),
    ask: (found: Found) => askVerified(context, found, signal),
    refresh: context.wallets.refresh,
    hide,
  }
  const found = last.find()
  const first = found && last.ask(found)
  const quick = first && (await Promise.race([first.then((answer) => ({ answer })), delay(silence, signal)]))
  if (quick && (quick.answer || !found.connector.getProvider)) return quick.answer
  const later = await loadWaiting()
  // A locked wallet is asked again, because it may have been unlocked while the code was loading.
  return later.waitForWallet({ ...last, began, first: quick ? undefined : first, signal })
}

/** Asks a wallet, unless another one claims its name: then rejects. */
async function askVerified({ wallets }: KitContext, found: Found, signal: AbortSignal): Promise<Restored | undefined> {
  const check = () => {
    if (!wallets.get(found.wallet.definition.id)?.verified) throw createCancelledError()
  }
  check()
  const answer = await askConnector(found, signal)
  check()
  return answer
}

/** Asks a connector without a prompt. A wallet that fails counts as locked. */
async function askConnector({ wallet, connector }: Found, signal: AbortSignal): Promise<Restored | undefined> {
  try {
    const answer = await (connector.reconnect && abortable(connector.reconnect({ signal }), signal))
    return answer && { walletId: wallet.definition.id as ListedWalletId, connector, answer }
  } catch {
    return undefined
  }
}

function findReady(
  { wallets }: KitContext,
  stored: Pick<StoredConnection, 'walletId' | 'rdns' | 'kind'>,
): Found | undefined {
  const wallet = wallets.find(stored)
  const connector = wallet?.connectors.find(({ kind, isReady }) => kind === stored.kind && isReady())
  return wallet && connector && { wallet, connector }
}
