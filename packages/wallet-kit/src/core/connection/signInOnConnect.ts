import type { ConnectSignIn } from '../state/authentication.ts'
import type { KitContext } from '../state/context.ts'
import type { WalletDefinition } from '../wallets/wallet.ts'

/** Checks whether a wallet signs in with the same approval as connecting. */
export const signsInOnConnect = (wallet: Pick<WalletDefinition, 'connectCapabilities'> | undefined): boolean =>
  wallet?.connectCapabilities?.includes('signInWithEthereum') === true

/**
 * Prepares sign-in with the same approval as connecting, if the wallet supports it. Resolves with `undefined` unless
 * sign-in is required. Never rejects.
 */
export async function prepareConnect({ config, signIn }: KitContext): Promise<ConnectSignIn | undefined> {
  if (!config.authentication?.required) return undefined
  return signIn.load().then(
    ({ prepareConnect }) => prepareConnect(),
    () => undefined,
  )
}
