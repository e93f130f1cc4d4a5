import { type Hex, hexToBigInt, numberToHex } from 'viem'
import { nodeChainId } from './chains.ts'
import type { ChainNode } from './createNode.ts'
import type { DemoSession } from './createSession.ts'
import { decodeCall, decodeRevert } from './decode.ts'
import type { ProviderRpcError } from './errors.ts'
import { invalid, toTransaction } from './requestParams.ts'

/** Gas limit for a transaction whose gas cannot be estimated because it would fail. */
const gasForFailure = 300_000n

/** Handles `eth_sendTransaction`. */
export function sendTransaction(session: DemoSession, node: ChainNode, params: readonly unknown[]): Promise<unknown> {
  const { from, to, value, data, chainId } = toTransaction(params[0])
  session.signerOf(from)
  return session.enqueue(async () => {
    const signer = session.signerOf(from)
    const current = session.getState().chainId
    session.assertNode()
    if (chainId !== undefined && chainId !== current)
      throw invalid(`The transaction is for chain ${chainId}, and the demo wallet is on ${current}.`)
    const account = signer.address
    const [{ gas, warning }, gasPrice] = await Promise.all([
      estimateGas(node, { from: account, ...(to && { to }), value: numberToHex(value), data }),
      node('eth_gasPrice', []).then((price) => (hexToBigInt(price as Hex) * 5n) / 4n),
    ])
    const [call, maxFee] = [decodeCall(data), gas * gasPrice]
    await session.approve({ kind: 'send', account, chainId: current, to, value, data, call, maxFee, warning })
    const nonce = Number(await node('eth_getTransactionCount', [account, 'pending']))
    const transaction = { type: 'legacy', chainId: nodeChainId, to, value, data, nonce, gas, gasPrice } as const
    return node('eth_sendRawTransaction', [await signer.signTransaction(transaction)])
  })
}

async function estimateGas(node: ChainNode, call: object): Promise<{ gas: bigint; warning: string | undefined }> {
  try {
    const gas = hexToBigInt((await node('eth_estimateGas', [call])) as Hex)
    return { gas: (gas * 6n) / 5n, warning: undefined }
  } catch (error) {
    return { gas: gasForFailure, warning: decodeRevert(error as ProviderRpcError) }
  }
}
