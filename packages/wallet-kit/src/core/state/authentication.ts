import type { Address, Hex } from 'viem'
import type { SignInError } from '../lib/errors.ts'
import type { ConnectAndSign, ConnectorConnection } from '../wallets/wallet.ts'

/**
 * A session that the server granted for an address.
 *
 * @see https://eips.ethereum.org/EIPS/eip-4361
 */
export type Session = {
  address: Address
  chainId: number
  /** Unix milliseconds. */
  expiresAt: number
}

/**
 * Calls to the server that grants sessions. `siweAuthentication` of `./siwe` creates them for the kit's own server. A
 * call that throws, returns an invalid answer or takes longer than 10 s is shown as an error and can be retried.
 *
 * @see https://eips.ethereum.org/EIPS/eip-4361
 */
export type AuthenticationAdapter = {
  /**
   * Returns a new nonce. Called for each message: for the first one, after a nonce was used or failed, and before one
   * expires.
   */
  getNonce: () => Promise<string>
  /**
   * Returns the text that the wallet shows and signs.
   *
   * @param parameters - The nonce to use, and the account and chain that sign in.
   */
  createMessage: (parameters: { nonce: string; address: Address; chainId: number }) => string | Promise<string>
  /**
   * Returns the session.
   *
   * @param parameters - The signed text, and its signature.
   * @throws when the signature is invalid
   */
  verify: (parameters: { message: string; signature: Hex }) => Promise<Session>
  /** Ends the session at the server. */
  signOut?: (() => Promise<void>) | undefined
  /** Returns the session of this browser, to restore it with the connection. */
  getSession?: (() => Promise<Session | undefined>) | undefined
}

/** The configuration of sign-in. */
export type AuthenticationConfig = {
  adapter: AuthenticationAdapter
  /**
   * `true`: the status is `unauthenticated` until the person has signed in. `false`: signing in is optional.
   * Default: `false`.
   */
  required?: boolean | undefined
  /**
   * Returns whether a session is valid for an account and chain; if not, the person is signed out.
   * Default: for the address of the session, on any chain.
   *
   * @param session - The session of this browser.
   * @param account - The account and chain that the wallet has now.
   */
  covers?: ((session: Session, account: { address: Address; chainId: number }) => boolean) | undefined
}

/** The outcome of a sign-in during connecting. */
export type ConnectOutcome = { session?: Session; error?: SignInError }

/** Sign-in with the same approval as connecting. */
export type ConnectSignIn = {
  ask: ConnectAndSign
  /**
   * Verifies the message that a wallet has signed for its first account. Resolves with `undefined` if there is none. Rejects only
   * when `signal` has fired.
   */
  verify: (
    answer: Pick<ConnectorConnection, 'accounts' | 'signed'>,
    signal: AbortSignal,
  ) => Promise<ConnectOutcome | undefined>
  /** Shows the outcome on the new connection. Ends a session that does not cover the account. */
  show: (outcome: ConnectOutcome) => void
}

/** The sign-in flow, loaded on demand. */
export type SignIn = {
  /** Prepares the message for the open dialog. */
  open: () => void
  /**
   * Signs in, synchronously if a message is prepared. Concurrent calls share one request. Returns an existing
   * session.
   */
  sign: () => Promise<Session>
  /**
   * Prepares sign-in with the same approval as connecting. Resolves with `undefined` if that is not possible. Never
   * rejects.
   */
  prepareConnect: () => Promise<ConnectSignIn | undefined>
  /** Ends the session in every tab and at the server. */
  signOut: () => Promise<void>
  /** Ends the session here, after another tab has ended it. */
  forget: () => void
  /** Ends the session at the server and in the other tabs, after it has ended here. */
  leave: () => void
  /** Reads the session of this browser from the server. Never rejects. */
  restore: () => Promise<Session | undefined>
  /** Restores that session, if the connection is still the same. */
  resume: () => Promise<void>
}
