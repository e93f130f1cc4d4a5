import { abortable, delay } from '../lib/promises.ts'
import { readSession } from '../signIn/session.ts'
import { type KitContext, signalWhile, update, waitForState } from '../state/context.ts'
import type { Attempt, Connection } from '../state/state.ts'
import { endAttempt, startAttempt, startReconnect, toConnection } from '../state/transitions.ts'
import type { Wallets } from '../wallets/createWallets.ts'
import type { Granted } from './askWallet.ts'
import { establishConnection } from './establishConnection.ts'
import { parseStoredConnection, type StoredConnection } from './storedConnection.ts'

/** Time limit in milliseconds for a wallet to appear on the page. */
const injectionTimeout = 3_000
const injectionInterval = 100

/** Connects the wallet that surrounds the page, or restores the last connection, without a prompt. Never rejects. */
export async function reconnect(context: KitContext): Promise<Connection | undefined> {
  const state = context.store.getState()
  const connection = toConnection(state)
  if (connection || context.signal.aborted) return connection
  if (state.attempt) return state.attempt.kind === 'reconnect' ? waitForAttempt(context, state.attempt.id) : undefined
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

async function waitForAttempt(context: KitContext, id: number): Promise<Connection | undefined> {
  const state = await waitForState(context, ({ attempt }) => attempt?.id !== id)
  return state && toConnection(state)
}

type RestoreParameters = { surrounding: ReturnType<Wallets['findSurrounding']>; stored: StoredConnection | undefined }

async function restore(
  context: KitContext,
  attempt: Attempt,
  { surrounding, stored }: RestoreParameters,
): Promise<Connection | undefined> {
  const { signal, release } = signalWhile(context, (state) => state.attempt?.id === attempt.id)
  const ask = async () => (await askSurrounding(surrounding, signal)) ?? (stored && askStored(context, stored, signal))
  try {
    const [granted, , session] = await Promise.all([
      ask(),
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

async function askSurrounding(
  surrounding: RestoreParameters['surrounding'],
  signal: AbortSignal,
): Promise<Restored | undefined> {
  if (!surrounding?.connector.reconnect) return undefined
  const { wallet, connector } = surrounding
  const request = surrounding.connector.reconnect({ signal }).catch(() => undefined)
  const answer = await abortable(request, signal)
  return answer && { walletId: wallet.definition.id, connector, answer }
}

async function askStored(
  context: KitContext,
  stored: StoredConnection,
  signal: AbortSignal,
): Promise<Restored | undefined> {
  const found = await waitForWallet(context, stored, signal)
  if (!found?.wallet.verified || !found.connector.reconnect) return undefined
  const { wallet, connector } = found
  const answer = await abortable(found.connector.reconnect({ signal }), signal)
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
