import {
  type Address,
  decodeErrorResult,
  decodeFunctionData,
  getAddress,
  type Hex,
  hexToBigInt,
  hexToBytes,
  isAddress,
  isHex,
  parseAbi,
  size,
  stringToHex,
  type TypedDataDefinition,
} from 'viem'

export const invalid = (message: string) => new ProviderRpcError('invalidParams', message)

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null
}

export function toAddress(value: unknown): Address | undefined {
  return typeof value === 'string' && isAddress(value, { strict: false }) ? getAddress(value) : undefined
}

function toQuantity(value: unknown): bigint | undefined {
  return isHex(value) && value.length > 2 ? hexToBigInt(value) : undefined
}

export function toChainId(value: unknown): number {
  const chainId = isRecord(value) ? toQuantity(value.chainId) : undefined
  if (chainId === undefined) throw invalid('chainId must be a hexadecimal string such as 0x38.')
  return Number(chainId)
}

export function toTransaction(value: unknown) {
  if (!isRecord(value)) throw invalid('The transaction is missing.')
  const data = value.data ?? value.input ?? '0x'
  if (!isHex(data)) throw invalid('The data of the transaction must be hexadecimal.')
  const to = toAddress(value.to)
  if (value.to !== undefined && value.to !== null && !to) throw invalid('The transaction has no valid receiver.')
  const amount = value.value === undefined ? 0n : toQuantity(value.value)
  if (amount === undefined) throw invalid('The value of the transaction must be hexadecimal.')
  const chainId = value.chainId === undefined ? undefined : toChainId(value)
  return { from: value.from, to, value: amount, data, chainId }
}

export type TypedData = TypedDataDefinition & { domain?: { name?: string; chainId?: unknown } }

export function toTypedData(value: unknown): TypedData {
  let parsed: unknown = value
  if (typeof value === 'string') {
    try {
      parsed = JSON.parse(value)
    } catch {
      throw invalid('The typed data is not JSON.')
    }
  }
  if (
    !isRecord(parsed) ||
    !isRecord(parsed.types) ||
    !isRecord(parsed.message) ||
    typeof parsed.primaryType !== 'string'
  ) {
    throw invalid('The typed data needs types, primaryType, domain and message.')
  }
  return parsed as TypedData
}

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

/** Chains of the demo wallet: the product's chain, and an unsupported one. */
export const demoChains = [
  { id: 56, name: 'BNB Smart Chain', symbol: 'BNB' },
  { id: 97, name: 'Demo Testnet', symbol: 'tBNB' },
] as const

export type DemoChainId = (typeof demoChains)[number]['id']

/** Chain of the wallet's node. On the other chain the wallet can sign, but not read or send. */
export const nodeChainId: DemoChainId = 56

export function toDemoChainId(id: unknown): DemoChainId | undefined {
  return demoChains.find((chain) => chain.id === id)?.id
}

export function chainName(id: DemoChainId): string {
  return demoChains.find((chain) => chain.id === id)?.name ?? `${id}`
}

/** @see https://eips.ethereum.org/EIPS/eip-1193#provider-errors and https://eips.ethereum.org/EIPS/eip-1474#error-codes */
export const errorCodes = {
  userRejected: 4001,
  unauthorized: 4100,
  unsupportedMethod: 4200,
  chainDisconnected: 4901,
  unrecognizedChain: 4902,
  invalidParams: -32602,
  resourceUnavailable: -32002,
  internal: -32603,
} as const

/** An error as wallets throw it; apps read its `code`. */
export class ProviderRpcError extends Error {
  override readonly name = 'ProviderRpcError'
  readonly code: number
  readonly data: unknown

  constructor(code: keyof typeof errorCodes | number, message: string, data?: unknown) {
    super(message)
    this.code = typeof code === 'number' ? code : errorCodes[code]
    this.data = data
  }
}
