import { abortable, delay } from './abortable.ts'
import { showUnconnected } from './connection.ts'
import { type Attempt, getConnection, type KitContext, startAttempt } from './context.ts'
import type { Wallets } from './createWallets.ts'
import { establish } from './establish.ts'
import { readSession } from './session.ts'
import type { Connection } from './state.ts'
import { parseStoredConnection, type StoredConnection } from './storage.ts'

/** How long a wallet may take to appear on the page. */
const injectionTimeout = 3_000
const injectionInterval = 100

/** Restores the last connection, or takes the one that surrounds the page, without ever asking the person. */
export async function reconnect(context: KitContext): Promise<Connection | undefined> {
  const connection = getConnection(context)
  if (connection) return connection
  if (context.attempt) return context.attempt.kind === 'reconnect' ? context.reconnecting : undefined
  const stored = context.storage.read('connection', parseStoredConnection)
  const surrounding = context.wallets.findSurrounding()
  const walletId = surrounding?.wallet.definition.id ?? stored?.walletId
  if (walletId === undefined) return undefined
  context.reconnecting = restore(context, { walletId, surrounding, stored })
  return context.reconnecting
}

type RestoreParameters = {
  walletId: string
  surrounding: ReturnType<Wallets['findSurrounding']>
  stored: StoredConnection | undefined
}

async function restore(
  context: KitContext,
  { walletId, surrounding, stored }: RestoreParameters,
): Promise<Connection | undefined> {
  const attempt = startAttempt(context, { kind: 'reconnect', walletId })
  if (stored) showStored(context, stored)
  try {
    const [granted, { checksumAddress }, session] = await Promise.all([
      (async () => (await askSurrounding(surrounding, attempt)) ?? (stored && askQuietly(context, stored, attempt)))(),
      abortable(context.loadChecksum(), attempt.controller.signal),
      abortable(readSession(context), attempt.controller.signal),
    ])
    if (granted && context.attempt === attempt) return establish(context, { ...granted, session, checksumAddress })
  } catch {
    // A wallet that is locked, gone or broken is no error of a page that has just been opened.
  }
  if (context.attempt !== attempt) return getConnection(context)
  delete context.attempt
  showUnconnected(context, { status: 'disconnected' })
  return undefined
}

function showStored(context: KitContext, { walletId, address, chainId }: StoredConnection): void {
  const isSupportedChain = context.config.chains.some(({ id }) => id === chainId)
  showUnconnected(context, { status: 'reconnecting', walletId, address, chainId, isSupportedChain })
}

async function askSurrounding(surrounding: RestoreParameters['surrounding'], { controller: { signal } }: Attempt) {
  if (!surrounding?.connector.reconnect) return undefined
  const asked = surrounding.connector.reconnect({ signal }).catch(() => undefined)
  const answer = await abortable(asked, signal)
  return answer && { ...surrounding, answer }
}

async function askQuietly(context: KitContext, stored: StoredConnection, { controller: { signal } }: Attempt) {
  const reached = await waitForWallet(context, stored, signal)
  if (!reached?.wallet.verified || !reached.connector.reconnect) return undefined
  const answer = await abortable(reached.connector.reconnect({ signal }), signal)
  return answer && { ...reached, answer }
}

/** The wallet, as soon as it can be reached in the way it was reached last time. */
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
