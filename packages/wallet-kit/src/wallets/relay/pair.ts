import { abortable } from '../../core/abortable.ts'
import { AbortedError, ConfigurationError, RelayUnreachableError, toWalletKitError } from '../../core/errors.ts'
import { within } from '../../core/within.ts'
import { endSession } from './endSession.ts'
import type { RelayClient, RelaySession } from './loadRelayClient.ts'
import type { ClientShare } from './shareClient.ts'

export type PairParameters = {
  share: Pick<ClientShare, 'get' | 'inTurn'>
  chainIds: readonly number[]
  signal: AbortSignal
  onUri: (uri: string) => void
  /** How long the relay may take to give a URI, in milliseconds. */
  uriTimeout: number
}

/** One pairing: a URI, and what the wallet that reads it answers. Once nobody waits for it, it is undone on both sides. */
export async function pair({ signal, onUri, uriTimeout, ...parameters }: PairParameters): Promise<RelaySession> {
  const given = new AbortController()
  const giveUp = () => given.abort()
  signal.addEventListener('abort', giveUp)
  if (signal.aborted) giveUp()
  try {
    const proposing = propose({ ...parameters, signal: given.signal })
    const { uri, approved } = await abortable(within(proposing, uriTimeout, createTimeoutError), signal)
    onUri(uri)
    return await abortable(approved, signal)
  } catch (thrown) {
    giveUp()
    throw thrown
  } finally {
    signal.removeEventListener('abort', giveUp)
  }
}

/** The proposal's five minutes are over. */
export const isExpired = (thrown: unknown) => /proposal expired/i.test(toWalletKitError(thrown).details ?? '')

async function propose({ share, chainIds, signal }: Pick<PairParameters, 'share' | 'chainIds' | 'signal'>): Promise<{
  uri: string
  approved: Promise<RelaySession>
}> {
  try {
    const client = await share.get()
    const connection = watchConnection(client)
    const { uri = '', approval } = await share
      .inTurn(async () => {
        if (signal.aborted) throw new AbortedError('The connection was given up.')
        const proposing = client.connect({ optionalNamespaces: { eip155: describe(chainIds) } })
        // The next has to wait for a connection, and not for what is answered over it.
        await Promise.race([proposing, connection.opened, connection.refused]).catch(() => {})
        return { proposing }
      })
      .then(({ proposing }) => Promise.race([proposing, connection.refused]))
      .finally(connection.stop)
    const approved = approval()
    const withdraw = () => void withdrawProposal(client, uri)
    if (signal.aborted) withdraw()
    else signal.addEventListener('abort', withdraw)
    approved.then(
      // The person said yes in the moment in which the try was given up.
      ({ topic }) => {
        if (signal.aborted) void endSession(client, topic)
      },
      () => {},
    )
    return { uri, approved }
  } catch (thrown) {
    const { name, details } = toWalletKitError(thrown)
    if (name !== 'WalletKitError') throw thrown
    throw new RelayUnreachableError(unreachable, { cause: thrown, ...(details && { details }) })
  }
}

/** What becomes of the connection to the relay. `refused` rejects with what the relay said when it hung up. */
function watchConnection({ core: { relayer } }: RelayClient) {
  let onOpen = () => {}
  let onError = (_: unknown) => {}
  const opened = new Promise<void>((resolve) => {
    onOpen = resolve
  })
  const refused = new Promise<never>((_, reject) => {
    onError = (thrown) => {
      // Connections that break otherwise are opened again.
      const [, reason] = /code: 3000(?: \((.+)\))?/.exec(toWalletKitError(thrown).message) ?? []
      if (reason === undefined) return
      const options = { details: reason, cause: thrown }
      const isOfProject = /project|key|unauthorized/i.test(reason)
      reject(
        isOfProject
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

/** Ends the proposal here, and forgets the pairing on both sides so that a late yes fails in the wallet. */
async function withdrawProposal(client: RelayClient, uri: string): Promise<void> {
  const topic = /^wc:([^@]+)@/.exec(uri)?.[1]
  if (topic === undefined) return
  try {
    for (const { id, pairingTopic } of client.proposal.getAll())
      if (pairingTopic === topic) client.core.expirer.set(id, 0)
    await client.core.pairing.disconnect({ topic })
  } catch {
    // It was used or had ended already.
  }
}

const unreachable = 'The relay cannot be reached from here. Try again, or choose another wallet.'

const createTimeoutError = () => new RelayUnreachableError(unreachable)

/** @see https://specs.walletconnect.com/2.0/specs/clients/sign/namespaces */
const describe = (chainIds: readonly number[]) => ({
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
