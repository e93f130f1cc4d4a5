import { type Address, getAddress, hexToBigInt, isAddress, isHex, type TypedDataDefinition } from 'viem'
import { ProviderRpcError } from './errors.ts'

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
