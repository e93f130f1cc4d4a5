import type { Address } from 'viem'
import { parseAccounts, parseChainId, readList, readProperty } from '../../core/lib/untrusted.ts'
import type { SignedMessage } from '../../core/wallets/wallet.ts'
import type { RelayAuthentication, RelayClient, RelayNamespace, RelaySession } from './loadRelayClient.ts'

/** The fields of an EIP-4361 message under their names in ERC-7846. @see https://eips.ethereum.org/EIPS/eip-7846 */
export type SignInFields = Partial<
  Record<'domain' | 'uri' | 'nonce' | 'chainId' | 'statement' | 'expirationTime' | 'notBefore', string>
> & { resources?: string[]; requestId?: string; scheme?: string }

/** Session that a wallet approved, with the message that it signed in the same approval. */
export type Approved = { session: RelaySession; signed?: SignedMessage | undefined }

export type Proposal = {
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
export async function proposeSession(client: RelayClient, chainIds: readonly number[]): Promise<Proposal> {
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
export async function proposeAuthentication(
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
