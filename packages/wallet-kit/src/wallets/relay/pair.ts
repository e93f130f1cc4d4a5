import { AbortedError, ConfigurationError, RelayUnreachableError, toWalletKitError } from '../../core/lib/errors.ts'
import { abortable, withTimeout } from '../../core/lib/promises.ts'
import { readProperty } from '../../core/lib/untrusted.ts'
import type { RelayClient, RelaySession } from './loadRelayClient.ts'
import {
  type Approved,
  type Proposal,
  proposeAuthentication,
  proposeSession,
  type SignInFields,
  topicOf,
  withdrawProposal,
} from './propose.ts'
import type { ClientShare } from './shareClient.ts'

export type PairParameters = {
  share: Pick<ClientShare, 'get' | 'inTurn' | 'end'>
  chainIds: readonly number[]
  signal: AbortSignal
  onUri: (uri: string) => void
  /** Time limit for the relay to return a URI, in milliseconds. */
  uriTimeout: number
  /** The message to sign with the same approval. */
  fields?: SignInFields | undefined
}

/** Pairs with a wallet: reports a URI, and resolves with the session. An aborted pairing is undone on both sides. */
export async function pair({ signal, onUri, uriTimeout, ...parameters }: PairParameters): Promise<Approved> {
  const pairing = new AbortController()
  const cancel = () => pairing.abort()
  signal.addEventListener('abort', cancel)
  if (signal.aborted) cancel()
  try {
    const proposing = propose({ ...parameters, signal: pairing.signal })
    const { uri, approved } = await abortable(withTimeout(proposing, uriTimeout, createTimeoutError), signal)
    onUri(uri)
    const answer = abortable(approved, signal)
    void whileAlone(topicOf(uri), signal, () => answer).catch(() => {})
    return await answer
  } catch (thrown) {
    cancel()
    throw thrown
  } finally {
    signal.removeEventListener('abort', cancel)
  }
}

/** Waits for the session of a pairing that an earlier page began. An aborted one is undone on both sides. */
export async function resumePairing(client: RelayClient, topic: string, signal: AbortSignal): Promise<RelaySession> {
  let find = () => {}
  const answered = new Promise<RelaySession>((resolve) => {
    find = () => {
      const session = client.session.getAll().find(({ pairingTopic }) => pairingTopic === topic)
      if (session) resolve(session)
    }
  })
  find()
  client.on('session_connect', find)
  repeatAnswer(client, topic).catch(() => {})
  try {
    return await abortable(answered, signal)
  } catch (thrown) {
    void withdrawProposal(client, topic)
    throw thrown
  } finally {
    client.off('session_connect', find)
  }
}

/**
 * Lets the client handle the answer to a proposal again. One that arrived while the client started was lost: the client
 * opens the connection before it can handle proposals, and has forgotten its request then.
 */
async function repeatAnswer({ core, proposal }: RelayClient, topic: string): Promise<void> {
  const proposed = proposal.getAll().find(({ pairingTopic }) => pairingTopic === topic)
  if (!proposed) return
  const { history, crypto, relayer } = core
  for (const message of Object.values(relayer.messages.get(topic))) {
    const answer = await crypto.decode(topic, message).catch(() => undefined)
    if (readProperty(answer, 'id') !== proposed.id || !readProperty(answer, 'result')) continue
    history.set(topic, { id: proposed.id, method: 'wc_sessionPropose', params: proposed })
    relayer.events.emit('relayer_message', { topic, message, publishedAt: Date.now() })
  }
}

/** Runs `task` once no other tab waits for the answer to this pairing. A page without TLS has no locks, and Node 20 no `navigator`. */
export function whileAlone<T>(topic: string, signal: AbortSignal, task: () => Promise<T>): Promise<T> {
  const locks = globalThis.navigator?.locks
  return locks ? locks.request(`walletKit.pairing ${topic}`, { signal }, task) : task()
}

/** Checks whether the proposal expired, after five minutes. */
export const isExpired = (thrown: unknown) => /proposal expired/i.test(toWalletKitError(thrown).details ?? '')

async function propose({
  share,
  chainIds,
  signal,
  fields,
}: Pick<PairParameters, 'share' | 'chainIds' | 'signal' | 'fields'>): Promise<{
  uri: string
  approved: Promise<Approved>
}> {
  try {
    const client = await share.get()
    const connection = watchConnection(client)
    const { uri, answered, expired, withdraw } = await share
      .inTurn(async () => {
        if (signal.aborted) throw new AbortedError('The connection was cancelled.')
        const proposing = proposeTo(client, chainIds, fields)
        // The next pairing waits only for the connection, not for the wallet's answer.
        await Promise.race([proposing, connection.opened, connection.refused]).catch(() => {})
        return { proposing }
      })
      .then(({ proposing }) => Promise.race([proposing, connection.refused]))
      .finally(connection.stop)
    if (signal.aborted) withdraw?.()
    else if (withdraw) signal.addEventListener('abort', withdraw)
    answered.then(
      // The wallet approved just when the attempt was cancelled, or after the code expired.
      ({ session }) => {
        if (signal.aborted) void share.end(session.topic)
      },
      () => {},
    )
    const approved = expired ? Promise.race([answered, expired]) : answered
    // A cancelled attempt does not wait for it.
    approved.catch(() => {})
    return { uri, approved }
  } catch (thrown) {
    const { name, details } = toWalletKitError(thrown)
    if (name !== 'WalletKitError') throw thrown
    throw new RelayUnreachableError(unreachable, { cause: thrown, ...(details && { details }) })
  }
}

async function proposeTo(
  client: RelayClient,
  chainIds: readonly number[],
  fields: SignInFields | undefined,
): Promise<Proposal> {
  const proposal = fields && (await proposeAuthentication(client, chainIds, fields))
  return proposal ?? proposeSession(client, chainIds)
}

/** Watches the connection to the relay. `refused` rejects with the relay's reason for closing it. */
function watchConnection({ core: { relayer } }: RelayClient) {
  let onOpen = () => {}
  let onError = (_: unknown) => {}
  const opened = new Promise<void>((resolve) => {
    onOpen = resolve
  })
  const refused = new Promise<never>((_, reject) => {
    onError = (thrown) => {
      // The client reopens connections that were closed for other reasons.
      const [, reason] = /code: 3000(?: \((.+)\))?/.exec(toWalletKitError(thrown).message) ?? []
      if (reason === undefined) return
      const options = { details: reason, cause: thrown }
      const isProjectUnknown = /project|key|unauthorized/i.test(reason)
      reject(
        isProjectUnknown
          ? new ConfigurationError('The relay does not know this projectId.', options)
          : new RelayUnreachableError(unreachable, options),
      )
    }
  })
  refused.catch(() => {})
  relayer.events.on('relayer_connect', onOpen)
  relayer.events.on('relayer_error', onError)
  if (relayer.connected) onOpen()
  const stop = () => {
    relayer.events.off('relayer_connect', onOpen)
    relayer.events.off('relayer_error', onError)
  }
  return { opened, refused, stop }
}

const unreachable = 'The relay cannot be reached from here. Try again, or choose another wallet.'

const createTimeoutError = () => new RelayUnreachableError(unreachable)
