import type { EIP1193Provider } from 'viem'
import { readErrorCodes, toWalletKitError } from '../lib/errors.ts'
import { createRpcError } from '../lib/providerParts.ts'
import { requestProvider } from './eip1193.ts'

/** The method by which viem sends a transaction again that the wallet refused as invalid, such as with -32000. */
const secondMethod = 'wallet_sendTransaction'

/**
 * Sends a request of viem to a wallet, and rejects with errors that viem understands. A refusal of `secondMethod` as
 * unsupported becomes -32601: viem then throws the wallet's first error. `null` and `undefined` become an error.
 *
 * @see https://github.com/wevm/viem/blob/main/src/actions/wallet/sendTransaction.ts
 */
export async function requestForViem(
  provider: EIP1193Provider,
  parameters: { method: string; params?: unknown },
): Promise<unknown> {
  try {
    return await requestProvider(provider, parameters)
  } catch (thrown) {
    if (parameters.method === secondMethod && isUnsupportedMethod(thrown, secondMethod))
      throw createRpcError(-32601, `The wallet does not support ${secondMethod}.`)
    throw thrown ?? toWalletKitError(thrown)
  }
}

/**
 * Error codes of a wallet without a method: -32601 and -32004 (JSON-RPC, EIP-1474), 4200 (EIP-1193), and those of
 * WalletConnect's SDK.
 */
const unsupportedCodes = [-32601, -32004, 4200, 1001, 5101, 10001]
/** Codes of any failure. WalletConnect's SDK adds -32000 to an error of which the wallet gives only the words. */
const generalCodes = [-32603, -32000]

const missing = '((is|was) )?((not |un)(supported|recogni[sz]ed|available|implemented|found)|does(n.t| not) exist)\\b'
/** Words that may stand before "method". Others, such as "relayer", tell of another method. */
const before = '((the|this|request(ed)?|(json-)?rpc|error:) )*'

/**
 * Returns whether a wallet rejected a request because it does not know the method, by its code or, since some wallets
 * have no code for that, by its words. `otherCodes` count as well.
 */
export function isUnsupportedMethod(thrown: unknown, method: string, otherCodes: readonly number[] = []): boolean {
  const { name, message } = toWalletKitError(thrown)
  if (name !== 'WalletKitError') return false
  const codes = readErrorCodes(thrown)
  if (codes.some((code) => unsupportedCodes.includes(code) || otherCodes.includes(code))) return true
  return codes.every((code) => generalCodes.includes(code)) && saysMissing(message, method)
}

/**
 * Returns whether a text says that the method is missing: it names it, or begins with "method" and names no other. Other
 * failures, such as those of a bundler, may come after the person has signed.
 */
function saysMissing(text: string, method: string): boolean {
  const alone = `^(?!.*\\b(?!${method}\\b)[a-z]+_[a-z])${before}`
  const patterns = [
    `\\b${method}\\W+(method )?${missing}`,
    `does(n.t| not) support ${before}(method )?\\W*${method}\\b`,
    `${alone}method\\W+${missing}`,
    `${alone}(unsupported|unknown|invalid) ${before}methods?\\b(?! param)`,
  ]
  return new RegExp(patterns.join('|'), 'is').test(text)
}
