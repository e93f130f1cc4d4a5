import type { Address, EIP1193Provider } from 'viem'
import { parseChainId } from '../core/payloads.ts'
import { read } from '../core/read.ts'
import { requestTimeout } from '../core/request.ts'

type Answer = (params: readonly unknown[]) => unknown

export type SafeProviderParameters = {
  address: Address
  chainId: number
  ask: AskSafe
}

/** Asks the Safe's page. Without a timeout a person has to answer. */
export type AskSafe = (method: string, params?: unknown, timeout?: number) => Promise<unknown>

/** What the Safe's page passes on to its node. */
const reads = [
  'eth_call',
  'eth_estimateGas',
  'eth_gasPrice',
  'eth_getBalance',
  'eth_getBlockByHash',
  'eth_getBlockByNumber',
  'eth_getCode',
  'eth_getLogs',
  'eth_getStorageAt',
  'eth_getTransactionCount',
]

/**
 * A Safe as an EIP-1193 provider. A transaction is known by its Safe hash until its owners have signed and executed it;
 * asked for that hash, the receipt is the one of the transaction on chain.
 *
 * @see https://github.com/safe-global/safe-apps-sdk/blob/main/packages/safe-apps-provider/src/provider.ts
 */
export function createSafeProvider({ address, chainId, ask }: SafeProviderParameters): EIP1193Provider {
  const hexChainId = `0x${chainId.toString(16)}`
  const submitted = new Map<unknown, object>()
  const rpc = (call: string, params: readonly unknown[]) => ask('rpcCall', { call, params }, requestTimeout)

  const assertOwn = (account: unknown) => {
    if (typeof account !== 'string' || account.toLowerCase() !== address.toLowerCase())
      throw rpcError(-32602, `This Safe is ${address}; it cannot act for ${String(account)}.`)
  }
  /** What a person has to answer in the Safe. It says no in words only. */
  const askPerson = async (method: string, params: unknown) => {
    try {
      return await ask(method, params)
    } catch (thrown) {
      const reason = read(thrown, 'message')
      throw /reject|declin|cancel/i.test(String(reason)) ? rpcError(4001, String(reason)) : thrown
    }
  }
  const sign = async (method: 'signMessage' | 'signTypedMessage', params: unknown) => {
    // Older Safes know no such setting and sign on chain.
    await rpc('safe_setSettings', [{ offChainSigning: true }]).catch(() => {})
    // What is signed on chain is verified with an empty signature. https://eips.ethereum.org/EIPS/eip-1271
    return read(await askPerson(method, params), 'signature') || '0x'
  }
  const signTypedData: Answer = ([account, typedData]) => {
    assertOwn(account)
    return sign('signTypedMessage', { typedData: typeof typedData === 'string' ? JSON.parse(typedData) : typedData })
  }
  /** The hash on chain of what is known by its Safe hash; any other stays as it is. */
  const findHash = async (hash: unknown) => {
    const details = await ask('getTxBySafeTxHash', { safeTxHash: hash }, requestTimeout).catch(() => undefined)
    return read(details, 'txHash') || hash
  }

  const methods: Record<string, Answer> = {
    ...Object.fromEntries(reads.map((method): [string, Answer] => [method, (params) => rpc(method, params)])),
    eth_accounts: () => [address],
    eth_requestAccounts: () => [address],
    eth_chainId: () => hexChainId,
    net_version: () => String(chainId),
    eth_blockNumber: async () => read(await rpc('eth_getBlockByNumber', ['latest', false]), 'number'),
    personal_sign: ([message, account]) => {
      assertOwn(account)
      return sign('signMessage', { message })
    },
    eth_sign: ([account, message]) => {
      assertOwn(account)
      return sign('signMessage', { message })
    },
    eth_signTypedData: signTypedData,
    eth_signTypedData_v4: signTypedData,
    eth_sendTransaction: async ([transaction]) => {
      const from = read(transaction, 'from')
      if (from !== undefined) assertOwn(from)
      const to = read(transaction, 'to')
      if (typeof to !== 'string')
        throw rpcError(-32602, 'A Safe sends only to an address; it cannot create a contract.')
      const data = read(transaction, 'data') || '0x'
      const value = toDecimal(read(transaction, 'value') || 0)
      const gas = read(transaction, 'gas')
      const params = gas === undefined ? undefined : { safeTxGas: Number(gas) }
      const hash = read(await askPerson('sendTransactions', { txs: [{ to, value, data }], params }), 'safeTxHash')
      if (typeof hash !== 'string') throw rpcError(-32603, 'The Safe did not say which transaction it made.')
      const pending = { blockHash: null, blockNumber: null, transactionIndex: null, nonce: '0x0', gas: '0x0' }
      submitted.set(hash, { ...pending, hash, from: address, to, value: toHex(value), input: data, gasPrice: '0x0' })
      return hash
    },
    eth_getTransactionByHash: async ([hash]) => {
      const transaction = await rpc('eth_getTransactionByHash', [await findHash(hash)])
      return transaction ? { ...transaction, hash } : (submitted.get(hash) ?? null)
    },
    eth_getTransactionReceipt: async ([hash]) => {
      const receipt = await rpc('eth_getTransactionReceipt', [await findHash(hash)])
      return receipt ? { ...receipt, transactionHash: hash } : null
    },
    wallet_switchEthereumChain: ([target]) => {
      if (parseChainId(target) === chainId) return null
      throw rpcError(4200, 'A Safe is on one network only. Open a Safe of the other network in Safe.')
    },
  }
  return {
    request: async ({ method, params }: { method: string; params?: unknown }) => {
      const answer = Object.hasOwn(methods, method) ? methods[method] : undefined
      if (!answer) throw rpcError(4200, `A Safe does not support ${method}.`)
      return answer(Array.isArray(params) ? params : [])
    },
    // Another Safe or network is another page: nothing changes while this one is open.
    on: () => {},
    removeListener: () => {},
  } as unknown as EIP1193Provider
}

function toDecimal(value: unknown): string {
  try {
    return BigInt(value as string).toString()
  } catch {
    throw rpcError(-32602, `This is no amount: ${String(value)}`)
  }
}

const toHex = (decimal: string) => `0x${BigInt(decimal).toString(16)}`

function rpcError(code: number, message: string): Error & { code: number } {
  return Object.assign(new Error(message), { code })
}
