/** Patterns of node errors, each with the message for visitors. viem recognizes these messages. */
const knownErrors: readonly [pattern: RegExp, code: number, message: string][] = [
  [/revert/i, 3, 'execution reverted'],
  [/insufficient funds/i, -32000, 'insufficient funds'],
  [/nonce too low/i, -32000, 'nonce too low'],
  [/nonce too high/i, -32000, 'nonce too high'],
  [/already known|already imported/i, -32000, 'already known'],
  [/underpriced/i, -32000, 'transaction underpriced'],
  [/intrinsic gas too low/i, -32000, 'intrinsic gas too low'],
  [/gas required exceeds allowance/i, -32000, 'gas required exceeds allowance'],
  [/out of gas/i, -32000, 'out of gas'],
  [/header not found|missing trie node|block not found|unknown block/i, -32000, 'The node does not have this block.'],
]

const messages: Record<number, string> = {
  3: 'execution reverted',
  [-32600]: 'The node refused the call as invalid.',
  [-32601]: 'The node does not offer this method.',
  [-32602]: 'The node refused the params.',
  [-32603]: 'The node failed. Try again later.',
}

export type PlainError = { code: number; message: string; data?: string }

/**
 * Converts a node's error into the one that visitors get: a known code and a plain message. The node's own message
 * may name its operator, its key or its address. The data of a revert comes from the contract and is kept.
 */
export function toPlainError({ code, message, data }: { code: number; message?: unknown; data?: unknown }): PlainError {
  const words = typeof message === 'string' ? message.slice(0, 1_000) : ''
  const known = code in messages ? undefined : knownErrors.find(([pattern]) => pattern.test(words))
  const plain = known
    ? { code: known[1], message: known[2] }
    : { code: code in messages ? code : -32000, message: messages[code] ?? 'The node refused the call.' }
  const isRevertData = plain.code === 3 && typeof data === 'string' && /^0x([0-9a-f]{2})*$/i.test(data)
  return isRevertData ? { ...plain, data } : plain
}
