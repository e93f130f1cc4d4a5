import { decodeErrorResult, decodeFunctionData, type Hex, hexToBytes, isHex, parseAbi, size, stringToHex } from 'viem'

/** What the wallet can put in words: the demo contract's one call, and the reasons it refuses it for. */
const knownAbi = parseAbi([
  'function bind(address referrer)',
  'error AlreadyBound(address member, address referrer)',
  'error SelfReferral(address member)',
  'error ReferrerNotBound(address referrer)',
  'error EmptyReferrer()',
])

export type DecodedCall = { name: string; arguments: readonly string[] }

/** The call in `data`, when it is one the wallet knows. */
export function decodeCall(data: Hex): DecodedCall | undefined {
  try {
    const { functionName, args } = decodeFunctionData({ abi: knownAbi, data })
    return { name: functionName, arguments: args.map(String) }
  } catch {
    return undefined
  }
}

/** Why a node says that a call would fail. */
export function decodeRevert(error: { message: string; data?: unknown }): string {
  if (isHex(error.data)) {
    try {
      const { errorName, args } = decodeErrorResult({ abi: knownAbi, data: error.data })
      return `${errorName}(${(args ?? []).join(', ')})`
    } catch {
      // Some other contract's error: the node's own words.
    }
  }
  return error.message
}

export type DecodedMessage = { raw: Hex; text: string; format: 'text' | 'bytes' }

/** The message of `personal_sign`: bytes in hex, or text as some apps send it. */
export function decodeMessage(message: string): DecodedMessage {
  const raw = isHex(message) && message.length % 2 === 0 ? message : stringToHex(message)
  try {
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(hexToBytes(raw))
    // Bytes that no one can read are shown as bytes.
    if (size(raw) > 0 && !/[\p{Cc}\p{Cf}\p{Co}\p{Cn}]/u.test(text.replace(/[\n\r\t]/g, '')))
      return { raw, text, format: 'text' }
  } catch {
    // Not UTF-8.
  }
  return { raw, text: raw, format: 'bytes' }
}
