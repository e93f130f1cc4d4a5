import { WalletKit, type WalletKitTypes } from '@reown/walletkit'
import { Core } from '@walletconnect/core'
import { buildAuthObject, populateAuthPayload } from '@walletconnect/utils'
import { createWalletClient, type Hex, hexToBigInt, http } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { createKeyValueStorage } from './createKeyValueStorage.ts'

export type RelayWalletOptions = {
  relayUrl: string
  /** Private keys for tests; the first one is the account. */
  privateKeys?: readonly Hex[]
  chainIds?: readonly number[]
  /** Positions of the accounts that it approves on a chain. Default: all accounts on every chain. */
  accountsOn?: Readonly<Record<number, readonly number[]>>
  /** Approves namespaces by chain (`eip155:56`), as some wallets do. */
  approvesByChain?: boolean
  /** Methods that it approves in addition to the usual ones. */
  methods?: readonly string[]
  /** Switches chains on request. Default: `true`. */
  switchesChains?: boolean
  /** Supports session authentication: connects and signs in with one approval. */
  signsIn?: boolean
  /** A node for transactions. */
  rpcUrl?: string
  projectId?: string
}

type SignInPayload = ReturnType<typeof populateAuthPayload>

// Accounts of anvil.
const anvilKeys: readonly Hex[] = [
  '0xac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80',
  '0x59c6995e998f97a5a0044966f0945389dc9e86dae88c7a8412f4603b6b78690d',
]

/** Creates a real wallet on the other side of the relay. The test gives the person's answers. */
export async function createRelayWallet({
  relayUrl,
  privateKeys = anvilKeys,
  chainIds = [56],
  accountsOn = {},
  approvesByChain = false,
  methods = [],
  switchesChains = true,
  signsIn = false,
  rpcUrl,
  projectId = 'test',
}: RelayWalletOptions) {
  const accounts = privateKeys.map((key) => privateKeyToAccount(key))
  const core = new Core({
    projectId,
    relayUrl,
    storage: createKeyValueStorage(),
    customStoragePrefix: `wallet${Math.random()}`,
    logger: 'silent',
  })
  const metadata = { name: 'Test wallet', description: 'A wallet', url: 'https://wallet.example', icons: [] }
  const wallet = await WalletKit.init({ core, metadata })
  const proposals: WalletKitTypes.SessionProposal[] = []
  const authentications: WalletKitTypes.SessionAuthenticate[] = []
  const requests: WalletKitTypes.SessionRequest[] = []
  const deleted: string[] = []
  wallet.on('session_proposal', (proposal) => proposals.push(proposal))
  if (signsIn) wallet.on('session_authenticate', (asked) => authentications.push(asked))
  wallet.on('session_request', (request) => requests.push(request))
  wallet.on('session_delete', ({ topic }) => deleted.push(topic))

  const switching = switchesChains ? ['wallet_switchEthereumChain'] : []
  const approvedMethods = ['eth_sendTransaction', 'personal_sign', ...switching, ...methods]
  /** Pairs, and resolves with the first entry that this adds to a list. */
  const pairAndWait = async <T>(uri: string, list: T[]) => {
    const count = list.length
    await wallet.pair({ uri })
    while (list.length === count) await new Promise((resolve) => setTimeout(resolve, 10))
    return list[count] as T
  }
  const describe = (order = accounts, chains = chainIds) => ({
    eip155: {
      chains: chains.map((id) => `eip155:${id}`),
      accounts: chains.flatMap((id) => {
        const approved = accountsOn[id]?.flatMap((position) => accounts[position] ?? []) ?? order
        return approved.map(({ address }) => `eip155:${id}:${address}`)
      }),
      methods: approvedMethods,
      events: ['accountsChanged', 'chainChanged'],
    },
  })
  const describeByChain = () =>
    Object.fromEntries(chainIds.map((id) => [`eip155:${id}`, describe(accounts, [id]).eip155]))
  const topic = () => Object.keys(wallet.getActiveSessions())[0] ?? ''

  return {
    wallet,
    addresses: accounts.map(({ address }) => address),
    proposals,
    authentications,
    requests,
    deleted,
    topic,
    /** Scans a URI, and resolves once the wallet asks the person. */
    scan: (uri: string) => pairAndWait(uri, proposals),
    /** Scans a URI, and resolves once the wallet asks the person to connect and sign in. */
    scanToSignIn: (uri: string) => pairAndWait(uri, authentications),
    /** Connects and signs in, for each chain of the wallet. `change` alters the message before it is signed. */
    approveSignIn: async (
      { id, params }: WalletKitTypes.SessionAuthenticate,
      change: (payload: SignInPayload) => SignInPayload = (payload) => payload,
      write = (address: string) => address,
    ) => {
      const chains = chainIds.map((chainId) => `eip155:${chainId}`)
      const given = { authPayload: params.authPayload, chains, methods: [...approvedMethods] }
      const request = change(populateAuthPayload(given))
      const sign = async (chain: string) => {
        const iss = `did:pkh:${chain}:${write(accounts[0]?.address ?? '')}`
        const s = await accounts[0]?.signMessage({ message: wallet.formatAuthMessage({ request, iss }) })
        return buildAuthObject(request, { t: 'eip191', s: s ?? '' }, iss)
      }
      await wallet.approveSessionAuthenticate({ id, auths: await Promise.all(request.chains.map(sign)) })
    },
    rejectSignIn: ({ id }: { id: number }) =>
      wallet.rejectSessionAuthenticate({ id, reason: { code: 5000, message: 'User rejected.' } }),
    approve: ({ id }: { id: number }) =>
      wallet.approveSession({ id, namespaces: approvesByChain ? describeByChain() : describe() }),
    reject: ({ id }: { id: number }) => wallet.rejectSession({ id, reason: { code: 5000, message: 'User rejected.' } }),
    /** Answers the page's request: signs, sends, or returns the given result. */
    answer: async ({ id, topic, params }: WalletKitTypes.SessionRequest, result?: unknown) => {
      const [account] = accounts
      const { method, params: given } = params.request
      const sign = async () => {
        if (method === 'personal_sign') return account?.signMessage({ message: { raw: given[0] } })
        const { to, value, data } = given[0]
        const client = createWalletClient({ account, transport: http(rpcUrl) })
        return client.sendTransaction({ chain: null, to, data, ...(value && { value: hexToBigInt(value) }) } as never)
      }
      const response = { id, jsonrpc: '2.0' as const, result: result === undefined ? await sign() : result }
      await wallet.respondSessionRequest({ topic, response })
    },
    refuse: ({ id, topic }: WalletKitTypes.SessionRequest) =>
      wallet.respondSessionRequest({
        topic,
        response: { id, jsonrpc: '2.0', error: { code: 5000, message: 'User rejected.' } },
      }),
    emit: (name: string, data: unknown, chainId = 56) =>
      wallet.emitSessionEvent({ topic: topic(), event: { name, data }, chainId: `eip155:${chainId}` }),
    grant: (chains: readonly number[], order = accounts) =>
      wallet.updateSession({ topic: topic(), namespaces: describe(order, chains) }),
    disconnect: () =>
      wallet.disconnectSession({ topic: topic(), reason: { code: 6000, message: 'User disconnected.' } }),
    close: async () => {
      core.heartbeat.stop()
      await core.relayer.transportClose()
    },
  }
}
