// Replacements for a kit's store and actions while the provider has no kit yet.
import { WalletNotAvailableError } from '../../core/lib/errors.ts'

export const subscribeToNothing = () => () => {}

export const doNothing = () => {}

export const resolveUndefined = async () => undefined

export const throwNotConnected = (): never => {
  throw new WalletNotAvailableError('Connect a wallet first.')
}

export const rejectNotConnected = async (): Promise<never> => throwNotConnected()
