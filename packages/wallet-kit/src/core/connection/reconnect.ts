import { abortable, delay } from '../lib/promises.ts'
import { readSession } from '../signIn/session.ts'
import { type KitContext, signalWhile, update, waitForState } from '../state/context.ts'
import type { Attempt, Connection } from '../state/state.ts'
import { endAttempt, startAttempt, startReconnect, toConnection } from '../state/transitions.ts'
import type { Wallets } from '../wallets/createWallets.ts'
import type { Granted } from './connect.ts'
import { establishConnection, followAnswer } from './connect.ts'
import { parseStoredConnection, type StoredConnection } from './runEffects.ts'

/** Time limit in milliseconds for a wallet to appear on the page. */
const injectionTimeout = 3_000
const injectionInterval = 100

/** Connects the wallet that contains the page, or restores the last connection, without a prompt. Never rejects. */
export async function reconnect(context: KitContext): Promise<Connection | undefined> {
  const state = context.store.getState()
  const connection = toConnection(state)
  if (connection || context.signal.aborted) return connection
  if (state.attempt) {
    const ended =
      state.attempt.kind === 'reconnect' && (await waitForState(context, (next) => next.attempt !== state.attempt))
    return ended ? toConnection(ended) : undefined
  }
  const stored = context.storage.read('connection', parseStoredConnection)
  const surrounding = context.wallets.findSurrounding()
  const walletId = surrounding?.wallet.definition.id ?? stored?.walletId
  if (walletId === undefined) return undefined
  const attempt: Attempt = { id: context.createAttemptId(), kind: 'reconnect', walletId }
  update(context, (state) =>
    stored ? startReconnect(state, attempt, stored, context.config) : startAttempt(state, attempt),
  )
  return restore(context, attempt, { surrounding, stored })
}

type Found = NonNullable<ReturnType<Wallets['findSurrounding']>>
type RestoreParameters = { surrounding: Found | undefined; stored: StoredConnection | undefined }

async function restore(
  context: KitContext,
  attempt: Attempt,
  parameters: RestoreParameters,
): Promise<Connection | undefined> {
  const { signal, release } = signalWhile(context, (state) => state.attempt === attempt)
  try {
    const [granted, , session] = await Promise.all([
      ask(context, parameters, signal).then((granted) => granted && followAnswer(context, attempt, granted)),
      abortable(context.checksum.load(), signal),
      abortable(readSession(context), signal),
    ])
    release()
    if (granted && !signal.aborted) {
      const { walletId, ...answer } = granted
      return establishConnection(context, { attempt: { ...attempt, walletId }, ...answer, session })
    }
  } catch {
    // When a page loads, a locked, missing or broken wallet is not an error.
  } finally {
    release()
  }
  if (!signal.aborted) update(context, (state) => endAttempt(state, attempt.id))
  return toConnection(context.store.getState())
}

type Restored = Granted & { walletId: string }

/** Asks the wallet that contains the page, then the one that was connected last. */
async function ask(
  context: KitContext,
  { surrounding, stored }: RestoreParameters,
  signal: AbortSignal,
): Promise<Restored | undefined> {
  const answer = surrounding && (await askConnector(surrounding, signal).catch(() => undefined))
  if (answer || !stored) return answer
  const found = await waitForWallet(context, stored, signal)
  return found?.wallet.verified ? askConnector(found, signal) : undefined
}

async function askConnector({ wallet, connector }: Found, signal: AbortSignal): Promise<Restored | undefined> {
  const answer = await (connector.reconnect && abortable(connector.reconnect({ signal }), signal))
  return answer && { walletId: wallet.definition.id, connector, answer }
}

/**
 * Waits until the connector of the last connection is ready. Resolves with `undefined` if it is not ready within
 * `injectionTimeout`.
 */
async function waitForWallet(context: KitContext, stored: StoredConnection, signal: AbortSignal) {
  const deadline = Date.now() + injectionTimeout
  while (!signal.aborted) {
    const wallet = context.wallets.find(stored)
    const connector = wallet?.connectors.find(({ kind, isReady }) => kind === stored.kind && isReady())
    if (wallet && connector) return { wallet, connector }
    if (Date.now() >= deadline) return undefined
    await delay(injectionInterval, signal)
    context.wallets.refresh()
  }
}
