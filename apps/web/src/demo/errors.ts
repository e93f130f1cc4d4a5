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
