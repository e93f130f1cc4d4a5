import { readProperty } from './untrusted.ts'

/** The possible values of `error.name`. They are stable. */
export type WalletKitErrorName =
  | 'WalletKitError'
  | 'ConfigurationError'
  | 'UserRejectedError'
  | 'RequestPendingError'
  | 'WalletNotAvailableError'
  | 'ChainError'
  | 'RelayUnreachableError'
  | 'SignInError'
  | 'AbortedError'

type WalletKitErrorOptions = { details?: string | undefined; cause?: unknown }

/**
 * Base class of all errors that actions of the kit reject with. Branch on `name`, which is stable; show
 * `shortMessage`.
 *
 * @example
 * try {
 *   await kit.connect({ walletId: 'metaMask' })
 * } catch (error) {
 *   if (error instanceof WalletKitError) show(error.shortMessage)
 * }
 */
export class WalletKitError extends Error {
  override name: WalletKitErrorName = 'WalletKitError'
  /** A sentence to show to people. */
  shortMessage: string
  /** The message of the wallet or the node, unchanged. */
  details: string | undefined

  /**
   * Creates the error.
   *
   * @param shortMessage - A sentence to show to people.
   * @param options - `details`: the message of the wallet or the node. `cause`: the value that was thrown.
   */
  constructor(shortMessage: string, options: WalletKitErrorOptions = {}) {
    super(shortMessage, options)
    this.shortMessage = shortMessage
    this.details = options.details
  }
}

/** Thrown when the configuration is invalid. The developer of the app has to change it. */
export class ConfigurationError extends WalletKitError {
  override name = 'ConfigurationError' as const
}

/**
 * Thrown when the person rejected the request in the wallet (4001), or an upgrade of the account (5750).
 *
 * @see https://eips.ethereum.org/EIPS/eip-1193#provider-errors
 */
export class UserRejectedError extends WalletKitError {
  override name = 'UserRejectedError' as const
}

/** Thrown when the wallet already shows a request and accepts no other (-32002). */
export class RequestPendingError extends WalletKitError {
  override name = 'RequestPendingError' as const
}

/** Thrown when the wallet is not on this page, is locked, or does not answer. */
export class WalletNotAvailableError extends WalletKitError {
  override name = 'WalletNotAvailableError' as const
}

/**
 * Thrown when the wallet did not switch to the chain, or does not say on which one it is.
 *
 * @see https://eips.ethereum.org/EIPS/eip-3326
 */
export class ChainError extends WalletKitError {
  override name = 'ChainError' as const
  /** `unsupported`: the wallet does not let apps switch networks, so a retry does not help. */
  reason: 'unsupported' | undefined

  /**
   * Creates the error.
   *
   * @param shortMessage - A sentence to show to people.
   * @param options - As of `WalletKitError`, and the `reason`.
   */
  constructor(shortMessage: string, { reason, ...options }: WalletKitErrorOptions & { reason?: 'unsupported' } = {}) {
    super(shortMessage, options)
    this.reason = reason
  }
}

/**
 * Thrown when the relay could not be reached. Wallets that do not use it still work.
 *
 * @see https://docs.reown.com
 */
export class RelayUnreachableError extends WalletKitError {
  override name = 'RelayUnreachableError' as const
}

/**
 * The stage at which sign-in failed: preparing the message, signing it in the wallet, verifying it at the server, or
 * other. `mismatch`: the wallet signed another message than requested, which was not used.
 */
export type SignInStage = 'preparing' | 'signing' | 'mismatch' | 'verifying' | 'generic'

/**
 * Thrown when sign-in failed at `stage` because of `cause`.
 *
 * @see https://eips.ethereum.org/EIPS/eip-4361
 */
export class SignInError extends WalletKitError {
  override name = 'SignInError' as const
  stage: SignInStage

  /**
   * Creates the error.
   *
   * @param stage - The stage that failed, which determines `shortMessage`.
   * @param cause - The value that was thrown.
   */
  constructor(stage: SignInStage, cause: unknown) {
    super(signInFailures[stage], { details: readErrorTexts(cause)[0], cause })
    this.stage = stage
  }
}

const signInFailures: Record<SignInStage, string> = {
  preparing: 'Error preparing message, please retry!',
  signing: 'Error signing message, please retry!',
  mismatch: 'The wallet signed a different message. It was not used: sign again.',
  verifying: 'Error verifying signature, please retry!',
  generic: 'Oops, something went wrong!',
}

/**
 * Thrown when the attempt was cancelled: the dialog was closed, another wallet was picked, or the caller's signal
 * fired.
 */
export class AbortedError extends WalletKitError {
  override name = 'AbortedError' as const
}

/** Every error of the kit, narrowed by `name` to its own fields. */
export type WalletKitErrorType =
  | (WalletKitError & { name: 'WalletKitError' })
  | ConfigurationError
  | UserRejectedError
  | RequestPendingError
  | WalletNotAvailableError
  | ChainError
  | RelayUnreachableError
  | SignInError
  | AbortedError

/**
 * Classifies an unknown value that a wallet or a node threw. Never throws.
 *
 * @param thrown - The caught value, of any type.
 * @see https://eips.ethereum.org/EIPS/eip-1193#provider-errors
 * @example
 * toWalletKitError({ code: 4001 }).name // 'UserRejectedError'
 */
export function toWalletKitError(thrown: unknown): WalletKitErrorType {
  if (isWalletKitError(thrown)) return thrown
  const code = readErrorCode(thrown)
  const texts = readErrorTexts(thrown)
  const [details] = texts
  const all = texts.join()
  const options = { details, cause: thrown }
  // Relay sessions reject with 5000 or only a message, because their errors lose the EIP-1193 code. 5750: the person
  // rejected the upgrade of the account that calls need.
  if (code === 4001 || code === 5000 || code === 5750 || /\buser (rejected|denied|declined|cancell?ed)\b/i.test(all))
    return new UserRejectedError('The request was rejected in the wallet.', options)
  if (code === -32002 || /already pending/i.test(all))
    return new RequestPendingError('A request is already open in the wallet. Open the wallet to answer it.', options)
  if (code === 4900 || code === 4901)
    return new WalletNotAvailableError('The wallet is not connected to the network. Check it and try again.', options)
  if (code === 4100)
    return new WalletNotAvailableError('The wallet has not allowed this. Unlock it and connect again.', options)
  if (code === 4902) return new ChainError('The wallet does not know this network.', options)
  const sentence = readProperty(thrown, 'shortMessage')
  const message = typeof sentence === 'string' ? sentence : details
  return new WalletKitError(message ?? 'The wallet returned an unknown error.', options) as WalletKitErrorType
}

/** Returns whether a value is an error of the kit. `instanceof` may throw for a proxy. */
function isWalletKitError(thrown: unknown): thrown is WalletKitErrorType {
  try {
    return thrown instanceof WalletKitError
  } catch {
    return false
  }
}

/** Returns all codes of an error, outermost first: wallets wrap the errors of other wallets. */
export function readErrorCodes(thrown: unknown, depth = 0): number[] {
  if (depth > 5 || typeof thrown !== 'object' || thrown === null) return []
  const given = readProperty(thrown, 'code')
  const code = typeof given === 'number' || typeof given === 'string' ? Number(given) : Number.NaN
  const data = readProperty(thrown, 'data')
  const nested = [data, data && readProperty(data, 'originalError'), readProperty(thrown, 'cause')]
  return [...(Number.isInteger(code) ? [code] : []), ...nested.flatMap((inner) => readErrorCodes(inner, depth + 1))]
}

function readErrorCode(thrown: unknown): number | undefined {
  const codes = readErrorCodes(thrown)
  // -32603 is a generic "internal error"; a wrapped error is more precise.
  return codes.find((code) => code !== -32603) ?? codes[0]
}

/** Lists the texts of an error: what the wallet or the node said, then viem's own sentence. */
export function readErrorTexts(thrown: unknown): string[] {
  const cause = readProperty(thrown, 'cause')
  const errors = [thrown, readProperty(thrown, 'error')]
  return [
    ...[thrown, cause],
    ...[thrown, cause].map((error) => readProperty(readProperty(error, 'data'), 'message')),
    ...['details', 'shortMessage', 'message'].flatMap((key) => errors.map((error) => readProperty(error, key))),
  ].flatMap((text) => (typeof text === 'string' && text.trim()) || [])
}
