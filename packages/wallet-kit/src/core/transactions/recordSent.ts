import type { Hash } from 'viem'
import { createNotConnectedError } from '../lib/errors.ts'
import { isCallsId, isHash, readProperty } from '../lib/untrusted.ts'
import type { KitContext, Transactions } from '../state/context.ts'
import type { Connection } from '../state/state.ts'

/**
 * Parses the wallet's answer to a request to send: an id or hash, or an object with an `id`. Creates an id for other
 * answers, because the person has signed: what was sent is shown as waiting in the wallet.
 */
export function parseSentId(answer: unknown): string {
  const id = typeof answer === 'string' ? answer : readProperty(answer, 'id')
  return isCallsId(id) ? id : `unnamed-${Array.from(crypto.getRandomValues(new Uint8Array(8))).join('')}`
}

/** Connection that sent something, which may have changed while the person signed, and its description. */
type Sent = { description: string; connection: Connection<string> }

/** Adds to the list of transactions what the wallet sent. Throws nothing, because the person has signed. */
export function recordSent(
  list: {
    addTransaction: (parameters: Sent & { hash: Hash }) => void
    addCalls: (parameters: Sent & { id: string }) => void
  },
  kind: 'calls' | 'transaction',
  id: string,
  sent: Sent,
): void {
  try {
    if (kind === 'transaction' && isHash(id)) list.addTransaction({ ...sent, hash: id })
    else list.addCalls({ ...sent, id })
  } catch {
    // A listener of the app threw.
  }
}

/**
 * Stores a transaction or calls. Before a wallet has connected here, `connection` has to say which wallet sent them, and the
 * code of transactions is loaded first.
 *
 * @throws {WalletKitError} if nothing is connected and no connection is given
 */
export function storeSent(
  { connected }: KitContext,
  { connection }: { connection?: Connection<string> | undefined },
  add: (list: Transactions) => void,
): void {
  if (connected.current) add(connected.current.transactions)
  else if (connection)
    connected
      .load()
      .then(({ transactions }) => add(transactions))
      .catch(console.error)
  else throw createNotConnectedError()
}
