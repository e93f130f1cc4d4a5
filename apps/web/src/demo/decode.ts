import { decodeErrorResult, decodeFunctionData, type Hex, hexToBytes, isHex, parseAbi, size, stringToHex } from 'viem'

/** The demo contract's call and errors, which the wallet shows in words. */
const knownAbi = parseAbi([
  'function bind(address referrer)',
  'error AlreadyBound(address member, address referrer)',
  'error SelfReferral(address member)',
  'error ReferrerNotBound(address referrer)',
  'error EmptyReferrer()',
])

export type DecodedCall = { name: string; arguments: readonly string[] }

/** Decodes the call in `data`, if known. */
export function decodeCall(data: Hex): DecodedCall | undefined {
  try {
    const { functionName, args } = decodeFunctionData({ abi: knownAbi, data })
    return { name: functionName, arguments: args.map(String) }
  } catch {
    return undefined
  }
}

/** Returns the reason why a call would revert. */
export function decodeRevert(error: { message: string; data?: unknown }): string {
  if (isHex(error.data)) {
    try {
      const { errorName, args } = decodeErrorResult({ abi: knownAbi, data: error.data })
      return `${errorName}(${(args ?? []).join(', ')})`
    } catch {
      // Another contract's error: use the node's message.
    }
  }
  return error.message
}

export type DecodedMessage = { raw: Hex; text: string; format: 'text' | 'bytes' }

/** Decodes the message of `personal_sign`: hex bytes, or text as some apps send it. */
export function decodeMessage(message: string): DecodedMessage {
  const raw = isHex(message) && message.length % 2 === 0 ? message : stringToHex(message)
  try {
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(hexToBytes(raw))
    // Unreadable bytes are shown as hex.
    if (size(raw) > 0 && !/[\p{Cc}\p{Cf}\p{Co}\p{Cn}]/u.test(text.replace(/[\n\r\t]/g, '')))
      return { raw, text, format: 'text' }
  } catch {
    // Not UTF-8.
  }
  return { raw, text: raw, format: 'bytes' }
}
