/** Creates an error as providers throw it. @see https://eips.ethereum.org/EIPS/eip-1193#provider-errors */
export const createRpcError = (code: number, message: string): Error & { code: number } =>
  Object.assign(new Error(message), { code })
