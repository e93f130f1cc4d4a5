import type { Address } from 'viem'
import { AbortedError, ConfigurationError, RelayUnreachableError, toWalletKitError } from '../../core/lib/errors.ts'
import { abortable, withTimeout } from '../../core/lib/promises.ts'
import { parseAccounts, parseChainId, readList, readProperty } from '../../core/lib/untrusted.ts'
import type { SignedMessage } from '../../core/wallets/wallet.ts'
import type {
  RelayAuthentication,
  RelayAuthenticationRequest,
  RelayClient,
  RelayNamespace,
  RelaySession,
} from './loadRelayClient.ts'
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
    void whileAlone(topicOf(uri), { signal }, () => answer).catch(() => {})
    return await answer
  } catch (thrown) {
    cancel()
    throw thrown
  } finally {
    signal.removeEventListener('abort', cancel)
  }
}

type StoredProposal = ReturnType<RelayClient['proposal']['getAll']>[number]

/** Waits for the session of a pairing that an earlier page began. Rejects when the person rejects it in the wallet. */
export async function resumePairing(client: RelayClient, topic: string, signal: AbortSignal): Promise<RelaySession> {
  const { events } = client.core.relayer
  const ofPairing = (it: { pairingTopic: string }) => it.pairingTopic === topic
  const proposed = client.proposal.getAll().find(ofPairing)
  const authentication = client.auth?.requests.getAll().find(ofPairing)
  const responseTopic = client.auth?.pairingTopics.getAll().find(ofPairing)?.topic ?? ''
  let find = () => {}
  let read = (_: unknown) => {}
  const answered = new Promise<RelaySession>((resolve, reject) => {
    find = () => {
      const session = client.session.getAll().find((it) => it.pairingTopic === topic)
      if (session) resolve(session)
    }
    read = (payload) => {
      const isOn = (topic: string) => readProperty(payload, 'topic') === topic
      if (isOn(topic)) void decodeRejection(client, payload, proposed).then(rejectWith)
      if (authentication && isOn(responseTopic))
        openAuthenticated(client, payload, authentication).then((session) => session && resolve(session), reject)
    }
    const rejectWith = (error: unknown) => error && reject(error)
    void repeatAnswer(client, topic, proposed).then(rejectWith, () => {})
    for (const message of Object.values(client.core.relayer.messages.get(responseTopic)))
      read({ topic: responseTopic, message })
  })
  find()
  client.on('session_connect', find)
  events.on('relayer_message', read)
  try {
    return await abortable(answered, signal)
  } finally {
    client.off('session_connect', find)
    events.off('relayer_message', read)
  }
}

/** Returns the error of a message in which the wallet says that the person has rejected the proposal. */
async function decodeRejection(
  { core }: RelayClient,
  payload: unknown,
  proposed: StoredProposal | undefined,
): Promise<Error | undefined> {
  const answer = await decode(core, payload).catch(() => undefined)
  // The client may have forgotten the proposal, and with it the id.
  if (proposed && readProperty(answer, 'id') !== proposed.id) return undefined
  return toRejection(answer)
}

const decode = ({ crypto }: RelayClient['core'], payload: unknown, receiverPublicKey?: string) =>
  crypto.decode(String(readProperty(payload, 'topic')), String(readProperty(payload, 'message')), { receiverPublicKey })

function toRejection(answer: unknown): Error | undefined {
  const error = toWalletKitError(readProperty(answer, 'error'))
  return error.name === 'UserRejectedError' ? error : undefined
}

/**
 * Opens the session that a wallet approved together with sign-in, as the client does only on the page that asked for it. The
 * signature is for a message that this page does not have. Rejects when the person rejects it in the wallet.
 */
async function openAuthenticated(
  { core, session }: RelayClient,
  payload: unknown,
  { id, requester: self, pairingTopic }: RelayAuthenticationRequest,
): Promise<RelaySession | undefined> {
  // Anyone who knows the topic can send there what cannot be decoded.
  const answer = await decode(core, payload, self.publicKey).catch(() => undefined)
  if (readProperty(answer, 'id') !== id) return undefined
  const rejection = toRejection(answer)
  if (rejection) throw rejection
  const result = readProperty(answer, 'result')
  const peer = readProperty(result, 'responder')
  const controller = readProperty(peer, 'publicKey')
  if (typeof controller !== 'string') return undefined
  const topic = await core.crypto.generateSharedKey(self.publicKey, controller)
  const opened = {
    ...{ topic, pairingTopic, self, peer, controller, acknowledged: true, relay: { protocol: 'irn' } },
    ...{ requiredNamespaces: {}, optionalNamespaces: {} },
    expiry: Math.floor(Date.now() / 1000) + sessionLifetime,
    namespaces: { eip155: readGrant(readProperty(result, 'cacaos')) },
  }
  await core.relayer.subscribe(topic)
  await session.set(topic, opened)
  return opened
}

/** Seconds. */
const sessionLifetime = 7 * 24 * 60 * 60

/**
 * Reads what a wallet grants in signed messages: the account in each issuer, methods and chains in the recap.
 * @see https://eips.ethereum.org/EIPS/eip-5573
 */
function readGrant(signed: unknown) {
  const grant = { chains: new Set<string>(), accounts: new Set<string>(), methods: new Set<string>() }
  for (const message of readList(signed) ?? []) {
    const payload = readProperty(message, 'p')
    // did:pkh:eip155:56:0x…
    const [, , namespace, chainId, address] = String(readProperty(payload, 'iss')).split(':')
    const chains = [`${namespace}:${chainId}`]
    const recap = String(readList(readProperty(payload, 'resources'))?.at(-1)).split('urn:recap:')[1]
    const abilities = recap && readProperty(readProperty(JSON.parse(atob(recap)), 'att'), 'eip155')
    for (const [ability, limits] of Object.entries(abilities || {})) {
      grant.methods.add(ability.slice('request/'.length))
      for (const limit of readList(limits) ?? [])
        chains.push(...(readList(readProperty(limit, 'chains')) ?? []).map(String))
    }
    for (const chain of chains) grant.chains.add(chain) && grant.accounts.add(`${chain}:${address}`)
  }
  const [chains, accounts, methods] = [grant.chains, grant.accounts, grant.methods].map((it) => [...it])
  return { chains, accounts: accounts ?? [], methods: methods ?? [], events: ['chainChanged', 'accountsChanged'] }
}

/**
 * Lets the client handle the answer to a proposal again. One that arrived while the client started was lost: the client
 * opens the connection before it can handle proposals, and has forgotten its request then. Returns a rejection instead.
 */
async function repeatAnswer(
  client: RelayClient,
  topic: string,
  proposed: StoredProposal | undefined,
): Promise<Error | undefined> {
  const { history, relayer } = client.core
  for (const message of Object.values(relayer.messages.get(topic))) {
    const rejection = await decodeRejection(client, { topic, message }, proposed)
    if (rejection) return rejection
    const answer = await decode(client.core, { topic, message }).catch(() => undefined)
    if (!proposed || readProperty(answer, 'id') !== proposed.id || !readProperty(answer, 'result')) continue
    history.set(topic, { id: proposed.id, method: 'wc_sessionPropose', params: proposed })
    relayer.events.emit('relayer_message', { topic, message, publishedAt: Date.now() })
  }
  return undefined
}

/**
 * Runs `task` once no other tab waits for the answer to this pairing, or as the options say. Does not run it on a page without TLS, which has no
 * locks, nor in Node 20, which has no `navigator`.
 */
export async function whileAlone<T>(
  topic: string,
  options: LockOptions,
  task: (lock: Lock | null) => Promise<T>,
): Promise<T | undefined> {
  return globalThis.navigator?.locks?.request(`walletKit.pairing ${topic}`, options, task)
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

/** The fields of an EIP-4361 message under their names in ERC-7846. @see https://eips.ethereum.org/EIPS/eip-7846 */
export type SignInFields = Partial<
  Record<'domain' | 'uri' | 'nonce' | 'chainId' | 'statement' | 'expirationTime' | 'notBefore', string>
> & { resources?: string[]; requestId?: string; scheme?: string }

/** Session that a wallet approved, with the message that it signed in the same approval. */
export type Approved = { session: RelaySession; signed?: SignedMessage | undefined }

type Proposal = {
  uri: string
  /** The wallet's answer, which may come after the attempt has ended. */
  answered: Promise<Approved>
  /** Rejects when the code expires, if `answered` does not. */
  expired?: Promise<never>
  /**
   * Makes a late approval fail in the wallet. Missing for session authentication, because the client fails on an
   * answer to an ended pairing.
   */
  withdraw?: () => void
}

/** Proposes a session. */
async function proposeSession(client: RelayClient, chainIds: readonly number[]): Promise<Proposal> {
  const { uri = '', approval } = await client.connect({ optionalNamespaces: { eip155: createNamespace(chainIds) } })
  const withdraw = () => void withdrawProposal(client, topicOf(uri))
  return { uri, answered: approval().then((session) => ({ session })), withdraw }
}

/** Returns the topic of the pairing that a URI begins. */
export const topicOf = (uri: string): string => /^wc:([^@]+)@/.exec(uri)?.[1] ?? ''

/** Ends the proposal here and the pairing on both sides. */
export async function withdrawProposal(client: RelayClient, topic: string): Promise<void> {
  try {
    for (const { id, pairingTopic } of client.proposal.getAll())
      if (pairingTopic === topic) client.core.expirer.set(id, 0)
    await client.core.pairing.disconnect({ topic })
  } catch {
    // The pairing was already used or ended.
  }
}

/**
 * Proposes a session and sign-in with one approval. A wallet that does not support session authentication gets the
 * ordinary proposal, which the client sends with it. Returns `undefined` if the client or the message does not allow
 * it.
 *
 * @see https://specs.walletconnect.com/2.0/specs/clients/sign/authenticated-session
 */
async function proposeAuthentication(
  client: RelayClient,
  chainIds: readonly number[],
  fields: SignInFields,
): Promise<Proposal | undefined> {
  const parameters = toAuthentication(chainIds, fields)
  if (!parameters) return undefined
  // A client without a `Buffer` cannot write the list of methods. The relay was not asked yet.
  const proposed = await client.authenticate?.(parameters).catch(() => undefined)
  if (!proposed) return undefined
  const { uri, response } = proposed
  const answered = response().then(({ session, auths }) => {
    if (!session) throw new Error('The wallet signed in and approved no session.')
    return { session, signed: findSigned(client, auths, parameters.chains[0]) }
  })
  return { uri, answered, expired: watchExpiry(client, uri, answered) }
}

/** Returns the request. Returns `undefined` for a message with parts that the protocol does not support. */
function toAuthentication(chainIds: readonly number[], fields: SignInFields): RelayAuthentication | undefined {
  const { domain, uri, nonce, requestId, scheme, statement, resources, expirationTime, notBefore } = fields
  const chainId = parseChainId(fields.chainId)
  if (!domain || !uri || !nonce || !chainId || requestId || scheme) return undefined
  const { methods, chains } = createNamespace([chainId, ...chainIds.filter((id) => id !== chainId)])
  return {
    ...{ domain, uri, nonce, chains, methods },
    ...(statement && { statement }),
    ...(resources && { resources }),
    ...(expirationTime && { exp: expirationTime }),
    ...(notBefore && { nbf: notBefore }),
  }
}

/** Returns the message that was signed for a chain, as written by the client. */
function findSigned(client: RelayClient, auths: unknown, chain: string | undefined): SignedMessage | undefined {
  for (const auth of readList(auths) ?? []) {
    const request = readProperty(auth, 'p')
    const signature = readProperty(readProperty(auth, 's'), 's')
    const iss = readProperty(request, 'iss')
    if (typeof iss !== 'string' || typeof signature !== 'string') continue
    // did:pkh:eip155:56:0x…
    const parts = iss.split(':')
    const [address]: readonly (Address | undefined)[] = parseAccounts([parts[4]]) ?? []
    // EIP-4361 requires the checksum in the message: an account without capitals is asked to sign afterwards.
    const hasChecksum = iss !== iss.toLowerCase()
    if (!address || !hasChecksum || parts.slice(0, 4).join(':') !== `did:pkh:${chain}`) continue
    try {
      return { address, message: client.formatAuthMessage({ request, iss }), signature }
    } catch {
      // It is not a valid message: the wallet is asked to sign afterwards.
    }
  }
  return undefined
}

/** Rejects when the ordinary proposal expires, because the client keeps waiting for an answer to the other one. */
function watchExpiry(client: RelayClient, uri: string, answered: Promise<unknown>): Promise<never> {
  const proposal = client.proposal.getAll().find(({ pairingTopic }) => pairingTopic === topicOf(uri))
  const expired = new Promise<never>((_, reject) => {
    const onExpire = (payload: unknown) => {
      if (readProperty(payload, 'id') === proposal?.id) reject(new Error('Proposal expired'))
    }
    client.on('proposal_expire', onExpire)
    const stop = () => void client.off('proposal_expire', onExpire)
    answered.then(stop, stop)
  })
  expired.catch(() => {})
  return expired
}

/**
 * Creates the requested namespace: chains, methods and events. @see
 * https://specs.walletconnect.com/2.0/specs/clients/sign/namespaces
 */
const createNamespace = (chainIds: readonly number[]): RelayNamespace => ({
  chains: chainIds.map((id) => `eip155:${id}`),
  methods: [
    'eth_sendTransaction',
    'personal_sign',
    'eth_signTypedData',
    'eth_signTypedData_v4',
    'eth_signTransaction',
    'eth_sign',
    'wallet_switchEthereumChain',
    'wallet_addEthereumChain',
    'wallet_watchAsset',
    'wallet_getCapabilities',
    'wallet_sendCalls',
    'wallet_getCallsStatus',
  ],
  events: ['accountsChanged', 'chainChanged'],
})
