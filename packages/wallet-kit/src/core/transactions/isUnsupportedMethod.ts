import { readErrorCodes, toWalletKitError } from '../lib/errors.ts'

/** Error codes of a wallet without a method: -32601 and -32004 (JSON-RPC, EIP-1474), 4200 (EIP-1193). */
const unsupportedCodes = [-32601, -32004, 4200]
const unsupportedText =
  /\b(un|not )(supported|recogni[sz]ed|available|implemented|found)\b|does not (exist|support)|(unknown|invalid) method/i
/** Matches a message that is about the method. Other messages may come after the person has signed. */
const methodText = /^((the|this|rpc|json-rpc|requested|unsupported|unknown|invalid) )*(method|request)\b/i

/**
 * Returns whether a wallet rejected a request because it does not know the method, by its code or, since some wallets
 * have no code for that, by its words. `otherCodes` count as well.
 */
export function isUnsupportedMethod(thrown: unknown, method: string, otherCodes: readonly number[] = []): boolean {
  const { name, message } = toWalletKitError(thrown)
  if (name !== 'WalletKitError') return false
  const codes = readErrorCodes(thrown)
  if (codes.some((code) => unsupportedCodes.includes(code) || otherCodes.includes(code))) return true
  // EIP-5792's codes for other reasons.
  if (codes.some((code) => code >= 5700 && code < 5800)) return false
  return (methodText.test(message) || message.includes(method)) && unsupportedText.test(message)
}
