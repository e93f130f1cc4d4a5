import { isRecord, readProperty } from './untrusted.ts'

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
 * Refuses an argument without any of these parameters, as the compiler does. A caller without types would get the defaults
 * of all, such as another chain.
 */
export function assertParameters(given: object, ...names: string[]): void {
  if (!isRecord(given) || (Object.keys(given)[0] && !names.some((name) => name in given)))
    throw new ConfigurationError(`Expected { ${names} }`)
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

/**
 * Why a wallet is not available.
 *
 * - `notConnected`: nothing is connected, or the provider of React has no kit yet. Open the connect dialog.
 * - `notInstalled`: the wallet is not on this page. The person has to install it, or turn it on.
 * - `notReachable`: the wallet cannot be asked from this page, as a Safe that does not contain it, or an id that is unknown.
 * - `noAccount`: the wallet returned no account. It is locked, or the person chose none.
 * - `unauthorized`: the wallet has not allowed the request or the account (4100).
 * - `noAnswer`: the wallet did not answer in time.
 * - `offline`: the wallet is not connected to the network (4900, 4901).
 */
export type WalletNotAvailableReason =
  | 'notConnected'
  | 'notInstalled'
  | 'notReachable'
  | 'noAccount'
  | 'unauthorized'
  | 'noAnswer'
  | 'offline'

/**
 * Thrown when the wallet is not on this page, is locked, or does not answer, and while nothing is connected. `reason` says
 * which.
 *
 * @see https://eips.ethereum.org/EIPS/eip-1193#provider-errors
 */
export class WalletNotAvailableError extends WalletKitError {
  override name = 'WalletNotAvailableError' as const
  reason: WalletNotAvailableReason

  /**
   * Creates the error.
   *
   * @param shortMessage - A sentence to show to people.
   * @param options - As of `WalletKitError`, and the `reason`.
   */
  constructor(
    shortMessage: string,
    { reason, ...options }: WalletKitErrorOptions & { reason: WalletNotAvailableReason },
  ) {
    super(shortMessage, options)
    this.reason = reason
  }
}

/** Creates the error of a wallet that agreed but gave no account. */
export const createNoAccountError = (): WalletNotAvailableError =>
  new WalletNotAvailableError('The wallet returned no account. Unlock it and try again.', { reason: 'noAccount' })

/** Creates the error of an action that needs a connected wallet. */
export const createNotConnectedError = (): WalletNotAvailableError =>
  new WalletNotAvailableError('Connect a wallet first.', { reason: 'notConnected' })

/**
 * Thrown when the wallet did not switch to the chain, or does not say on which one it is.
 *
 * @see https://eips.ethereum.org/EIPS/eip-3326
 */
export class ChainError extends WalletKitError {
  override name = 'ChainError' as const
  /**
   * `unsupported`: the wallet does not let apps switch networks, so a retry does not help. `notApproved`: the wallet has
   * approved no account on the network for this site.
   */
  reason: 'unsupported' | 'notApproved' | undefined

  /**
   * Creates the error.
   *
   * @param shortMessage - A sentence to show to people.
   * @param options - As of `WalletKitError`, and the `reason`.
   */
  constructor(
    shortMessage: string,
    { reason, ...options }: WalletKitErrorOptions & { reason?: ChainError['reason'] } = {},
  ) {
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
  const codes = readErrorCodes(thrown)
  const texts = readErrorTexts(thrown)
  const [details] = texts
  const options = { details, cause: thrown }
  const has = (...wanted: number[]) => wanted.some((code) => codes.includes(code))
  const says = (words: RegExp) => texts.some((text) => words.test(text))
  if (has(4001, 5000, 5001, 5002, 5003, 5750) || says(rejected))
    return new UserRejectedError('The request was rejected in the wallet.', options)
  if (has(-32002) || says(/already pending/i))
    return new RequestPendingError('A request is already open in the wallet. Answer it there first.', options)
  if (has(4900, 4901))
    return new WalletNotAvailableError('The wallet is not connected to the network. Check it and try again.', {
      ...options,
      reason: 'offline',
    })
  if (has(4100))
    return new WalletNotAvailableError('The wallet has not allowed this. Unlock it and connect again.', {
      ...options,
      reason: 'unauthorized',
    })
  if (has(4902)) return new ChainError('The wallet does not know this network.', options)
  const sentence = readProperty(thrown, 'shortMessage')
  const message = typeof sentence === 'string' ? sentence : details
  return new WalletKitError(message ?? 'The wallet returned an unknown error.', options) as WalletKitErrorType
}

/**
 * Matches the words of a rejection, for the wallets and bridges that drop its code: "user" beside a word for
 * rejecting in English, Chinese or Vietnamese, or such a word alone. Does not match "has not been authorized by the
 * user": wallets use these words for error 4100, such as when they are locked.
 */
const rejected =
  /\buser (has )?(rejected|denied|declined|cancell?ed)\b|\b(?!authorized)\w+ed by (the )?user|(用[户戶]|使用者).{0,8}(拒[绝絕]|取消)|người dùng.{0,9}(từ chối|h[ủu][ỷy])|^(rejected|denied|declined|cancell?ed|已?(取消|拒[绝絕]))\W*$/i

/** Returns whether a value is an error of the kit. `instanceof` may throw for a proxy. */
function isWalletKitError(thrown: unknown): thrown is WalletKitErrorType {
  try {
    return thrown instanceof WalletKitError
  } catch {
    return false
  }
}

/** Properties in which wallets, bridges and libraries keep the error that they pass on. */
const innerKeys = ['data', 'originalError', 'cause', 'error', 'info']
const maxErrors = 30

/** Lists an error and the errors inside it, outermost first. Includes errors written as JSON in a text. */
function listErrors(thrown: unknown): unknown[] {
  const errors = new Set([thrown])
  for (const error of errors) {
    const inner = innerKeys.map((key) => readProperty(error, key))
    inner.push(...[error, readProperty(error, 'message')].map(parseInnerJson))
    for (const one of inner) if (one && errors.size < maxErrors) errors.add(one)
  }
  return [...errors]
}

/** Parses the object at the end of a text, such as "Internal JSON-RPC error. { … }". */
function parseInnerJson(text: unknown): unknown {
  try {
    return typeof text === 'string' && JSON.parse(text.slice(text.indexOf('{')))
  } catch {
    return undefined
  }
}

/** Returns all codes of an error, outermost first: wallets wrap the errors of other wallets. */
export function readErrorCodes(thrown: unknown): number[] {
  return listErrors(thrown).flatMap((error) => {
    const code = readProperty(error, 'code')
    // The name that ethers gives to 4001.
    if (code === 'ACTION_REJECTED') return 4001
    return Number.isInteger(code) || (typeof code === 'string' && /^-?\d+$/.test(code)) ? Number(code) : []
  })
}

/** Lists the texts of an error: what the wallet or the node said, then viem's own sentence. */
function readErrorTexts(thrown: unknown): string[] {
  const errors = listErrors(thrown)
  const texts = [
    // `data` may be the hex of a contract's error.
    ...errors.filter((error) => typeof error === 'string' && !error.startsWith('0x')),
    ...errors.map((error) => readProperty(readProperty(error, 'data'), 'message')),
    ...['details', 'shortMessage', 'message', 'reason'].flatMap((key) => errors.map((it) => readProperty(it, key))),
  ]
  return texts.flatMap((text) => (typeof text === 'string' && text.trim()) || [])
}
