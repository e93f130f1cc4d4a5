import { type Address, type Hex, numberToHex } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { type DemoChainId, demoChains, toDemoChainId } from './chains.ts'
import { type ChainNode, createNode } from './createNode.ts'
import { createSession, type DemoSession } from './createSession.ts'
import { ProviderRpcError } from './errors.ts'
import type { Ask } from './questions.ts'
import { invalid, isRecord, toChainId } from './requestParams.ts'
import { sendTransaction } from './sendTransaction.ts'
import { signMessage, signTypedData } from './sign.ts'
import type { DemoWalletState } from './walletState.ts'

type Listener = (value: never) => void

/** The provider that pages get. @see https://eips.ethereum.org/EIPS/eip-1193 */
export type DemoProvider = {
  isDemoWallet: true
  request(request: { method: string; params?: unknown }): Promise<unknown>
  on(event: string, listener: Listener): DemoProvider
  removeListener(event: string, listener: Listener): DemoProvider
}

/** Changes that a user can make in the wallet's window. */
export type DemoControls = {
  accounts: readonly Address[]
  getState(): DemoWalletState
  selectAccount(account: Address): void
  selectChain(chainId: DemoChainId): void
  /** Revokes this site's permission. */
  disconnect(): void
}

export type CreateDemoProviderParameters = { privateKeys: readonly string[]; rpcUrl: string; ask: Ask }

/**
 * Creates the demo wallet's EIP-1193 provider. Each decision goes through `ask`.
 *
 * @example
 * const { provider } = createDemoProvider({ privateKeys, rpcUrl, ask: async () => ({ kind: 'approved' }) })
 * await provider.request({ method: 'eth_requestAccounts' })
 */
export function createDemoProvider({ privateKeys, rpcUrl, ask }: CreateDemoProviderParameters) {
  const signers = privateKeys.map((key) => privateKeyToAccount(key as Hex))
  const session = createSession(signers, ask)
  const node = createNode(rpcUrl)
  const methods = createMethods(session, node)
  const { accounts, getState, update } = session

  const provider: DemoProvider = {
    isDemoWallet: true,
    async request(request) {
      const method = isRecord(request) ? request.method : undefined
      if (typeof method !== 'string') throw invalid('The request has no method.')
      const own = Object.hasOwn(methods, method) ? methods[method] : undefined
      if (own) return own(Array.isArray(request.params) ? request.params : [])
      session.assertNode()
      return node(method, request.params ?? [])
    },
    on(event, listener) {
      session.on(event, listener)
      return provider
    },
    removeListener(event, listener) {
      session.removeListener(event, listener)
      return provider
    },
  }

  const controls: DemoControls = {
    accounts,
    getState,
    selectAccount(account) {
      if (accounts.includes(account)) update({ account })
    },
    selectChain: (chainId) => update({ chainId }),
    disconnect: () => update({ permission: 'none' }),
  }

  return { provider, controls }
}

type Method = (params: readonly unknown[]) => unknown

function createMethods(session: DemoSession, node: ChainNode): Record<string, Method> {
  const { getState, permitted, update } = session
  const connect = createConnect(session)
  const switchTo: Method = (params) => switchChain(session, params)
  return {
    eth_accounts: () => [...permitted()],
    eth_requestAccounts: async () => {
      if (permitted().length === 0) await connect()
      return [...permitted()]
    },
    eth_chainId: () => numberToHex(getState().chainId),
    net_version: () => `${getState().chainId}`,
    web3_clientVersion: () => 'DemoWallet/1.0.0',
    wallet_getPermissions: () => permissionsOf(session),
    wallet_requestPermissions: async (params) => {
      if (!isRecord(params[0]) || !('eth_accounts' in params[0]))
        throw invalid('The only supported permission is eth_accounts.')
      await connect()
      return permissionsOf(session)
    },
    wallet_revokePermissions: () => {
      update({ permission: 'none' })
      return null
    },
    wallet_switchEthereumChain: switchTo,
    // Switches to the chain, like wallets that already know it.
    wallet_addEthereumChain: switchTo,
    personal_sign: (params) => signMessage(session, params),
    eth_signTypedData_v4: (params) => signTypedData(session, params),
    eth_sendTransaction: (params) => sendTransaction(session, node, params),
  }
}

/** Returns a function that asks the owner to connect this site. It throws while that question is open. */
function createConnect({ accounts, approve, enqueue, getState, update }: DemoSession): () => Promise<void> {
  let phase: 'idle' | 'asking' = 'idle'
  return async () => {
    if (phase === 'asking')
      throw new ProviderRpcError(
        'resourceUnavailable',
        'A request is already open in the demo wallet. Answer it there.',
      )
    phase = 'asking'
    try {
      await enqueue(async () => {
        const current = getState().account
        const { account = current } = await approve({ kind: 'connect', accounts, account: current })
        if (!accounts.includes(account)) throw new ProviderRpcError('internal', 'The demo wallet has no such account.')
        update({ account, permission: 'granted' })
      })
    } finally {
      phase = 'idle'
    }
  }
}

async function switchChain({ approve, enqueue, getState, update }: DemoSession, params: readonly unknown[]) {
  const wanted = toChainId(params[0])
  const chainId = toDemoChainId(wanted)
  if (!chainId) {
    const known = demoChains.map(({ id, name }) => `${name} (${id})`).join(' and ')
    throw new ProviderRpcError('unrecognizedChain', `The demo wallet supports only ${known}, not chain ${wanted}.`)
  }
  return enqueue(async () => {
    const from = getState().chainId
    if (from === chainId) return null
    await approve({ kind: 'switchChain', from, to: chainId })
    update({ chainId })
    return null
  })
}

/** Returns the permissions of this site. @see https://eips.ethereum.org/EIPS/eip-2255 */
function permissionsOf({ permitted }: DemoSession) {
  if (permitted().length === 0) return []
  const caveats = [{ type: 'restrictReturnedAccounts', value: [...permitted()] }]
  return [{ parentCapability: 'eth_accounts', invoker: globalThis.location?.origin ?? '', caveats }]
}
