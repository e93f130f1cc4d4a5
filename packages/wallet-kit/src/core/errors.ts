import { read } from './read.ts'

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
 * What every action of the kit rejects with. Branch on `name`, which is stable; show `shortMessage`.
 *
 * @example
 * try {
 *   await kit.connect({ walletId: 'metaMask' })
 * } catch (error) {
 *   if (toWalletKitError(error).name !== 'UserRejectedError') throw error
 * }
 */
export class WalletKitError extends Error {
  override name: WalletKitErrorName = 'WalletKitError'
  /** One sentence for people. */
  shortMessage: string
  /** What the wallet or the node said, word for word. */
  details: string | undefined

  constructor(shortMessage: string, options: WalletKitErrorOptions = {}) {
    super(shortMessage, 'cause' in options ? { cause: options.cause } : undefined)
    this.shortMessage = shortMessage
    this.details = options.details
  }
}

/** The kit was set up wrongly; only the app's developer can mend it. */
export class ConfigurationError extends WalletKitError {
  override name = 'ConfigurationError' as const
}

/** The person said no in the wallet. Not a failure. */
export class UserRejectedError extends WalletKitError {
  override name = 'UserRejectedError' as const
}

/** The wallet already shows a request and takes no other (-32002). */
export class RequestPendingError extends WalletKitError {
  override name = 'RequestPendingError' as const
}

/** The wallet is not on this page, is locked, or does not answer. */
export class WalletNotAvailableError extends WalletKitError {
  override name = 'WalletNotAvailableError' as const
}

/** The wallet could not be brought to the chain. */
export class ChainError extends WalletKitError {
  override name = 'ChainError' as const
  /** `unsupported`: this wallet changes networks for no app, and asking again is of no use. */
  reason: 'unsupported' | undefined

  constructor(shortMessage: string, { reason, ...options }: WalletKitErrorOptions & { reason?: 'unsupported' } = {}) {
    super(shortMessage, options)
    this.reason = reason
  }
}

/** The relay between this page and a wallet elsewhere could not be reached. Other wallets are. */
export class RelayUnreachableError extends WalletKitError {
  override name = 'RelayUnreachableError' as const
}

/** Where signing in failed: making the message, in the wallet, at the server, or anywhere else. */
export type SignInStage = 'preparing' | 'signing' | 'verifying' | 'generic'

/** Signing in failed; `stage` says where, `cause` why. */
export class SignInError extends WalletKitError {
  override name = 'SignInError' as const
  stage: SignInStage

  constructor(stage: SignInStage, cause: unknown) {
    super(signInFailures[stage], { details: readErrorMessage(cause), cause })
    this.stage = stage
  }
}

const signInFailures: Record<SignInStage, string> = {
  preparing: 'Error preparing message, please retry!',
  signing: 'Error signing message, please retry!',
  verifying: 'Error verifying signature, please retry!',
  generic: 'Oops, something went wrong!',
}

/** The try was given up here: the dialog was closed, another wallet picked, or the caller's signal fired. */
export class AbortedError extends WalletKitError {
  override name = 'AbortedError' as const
}

/**
 * Classifies whatever a wallet or a node threw. Nothing it may be given makes it throw.
 *
 * @see https://eips.ethereum.org/EIPS/eip-1193#provider-errors
 * @example
 * toWalletKitError({ code: 4001 }).name // 'UserRejectedError'
 */
export function toWalletKitError(thrown: unknown): WalletKitError {
  if (isWalletKitError(thrown)) return thrown
  const code = readErrorCode(thrown)
  const details = readErrorMessage(thrown)
  const options = details === undefined ? { cause: thrown } : { details, cause: thrown }
  // 5000 and the bare sentence are how relay sessions say no: their errors lose EIP-1193 codes on the way.
  if (code === 4001 || code === 5000 || /\buser (rejected|denied|declined|cancell?ed)\b/i.test(details ?? ''))
    return new UserRejectedError('The request was rejected in the wallet.', options)
  if (code === -32002 || /already pending/i.test(details ?? ''))
    return new RequestPendingError('A request is already open in the wallet. Open the wallet to answer it.', options)
  if (code === 4900 || code === 4901)
    return new WalletNotAvailableError('The wallet is not connected to the network. Check it and try again.', options)
  if (code === 4100)
    return new WalletNotAvailableError('The wallet has not allowed this. Unlock it and connect again.', options)
  if (code === 4902) return new ChainError('The wallet does not know this network.', options)
  return new WalletKitError(details ?? 'The wallet answered with an error that says nothing.', options)
}

/** Even to ask a foreign object what it is may throw. */
function isWalletKitError(thrown: unknown): thrown is WalletKitError {
  try {
    return thrown instanceof WalletKitError
  } catch {
    return false
  }
}

/** Codes an error carries, outermost first: wallets wrap errors of wallets. */
export function readErrorCodes(thrown: unknown, depth = 0): number[] {
  if (depth > 5 || typeof thrown !== 'object' || thrown === null) return []
  const given = read(thrown, 'code')
  const code = typeof given === 'number' || typeof given === 'string' ? Number(given) : Number.NaN
  const data = read(thrown, 'data')
  const nested = [data, data && read(data, 'originalError'), read(thrown, 'cause')]
  return [...(Number.isInteger(code) ? [code] : []), ...nested.flatMap((inner) => readErrorCodes(inner, depth + 1))]
}

function readErrorCode(thrown: unknown): number | undefined {
  const codes = readErrorCodes(thrown)
  // -32603 only says "internal error"; what is wrapped in it knows better.
  return codes.find((code) => code !== -32603) ?? codes[0]
}

function readErrorMessage(thrown: unknown): string | undefined {
  if (typeof thrown === 'string') return thrown.trim() || undefined
  for (const key of ['shortMessage', 'details', 'message'])
    for (const source of [thrown, read(thrown, 'error')]) {
      const message = read(source, key)
      if (typeof message === 'string' && message.trim()) return message.trim()
    }
  return undefined
}
