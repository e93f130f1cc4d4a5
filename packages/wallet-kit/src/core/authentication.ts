import type { Address, Hex } from 'viem'

/** Proof that the person holds `address`, as the server granted it. */
export type Session = {
  address: Address
  chainId: number
  /** Unix milliseconds. */
  expiresAt: number
}

/**
 * What sign-in needs of a server. `./siwe` is one; a host may bring its own. Each call has 10 s; what takes longer, throws
 * or answers nonsense is said to the person and can be tried again.
 *
 * @see https://eips.ethereum.org/EIPS/eip-4361
 * @example
 * const adapter: AuthenticationAdapter = {
 *   getNonce: async () => (await fetch('/nonce')).text(),
 *   createMessage: ({ nonce, address, chainId }) =>
 *     createSiweMessage({ nonce, address, chainId, domain: location.host, uri: location.origin, version: '1' }),
 *   verify: async (signed) => (await fetch('/verify', { method: 'POST', body: JSON.stringify(signed) })).json(),
 * }
 */
export type AuthenticationAdapter = {
  /** One for each message; it is asked for anew after it was used, after a failure and when it has become old. */
  getNonce: () => Promise<string>
  /** The text the wallet shows and signs. */
  createMessage: (parameters: { nonce: string; address: Address; chainId: number }) => string | Promise<string>
  /** @throws when the server does not believe it */
  verify: (parameters: { message: string; signature: Hex }) => Promise<Session>
  signOut?: () => Promise<void>
  /** The session the server still knows of this browser, to be restored with the connection. */
  getSession?: () => Promise<Session | undefined>
}

/** How people of this app sign in. */
export type AuthenticationConfig = {
  adapter: AuthenticationAdapter
  /**
   * `true`: a wallet counts as connected once its person has signed in; until then the status is `unauthenticated`.
   * Default: `false`, signing in is there for whoever wants it.
   */
  required?: boolean
  /**
   * Whether a session still holds when the wallet is on this account and chain; when not, the person is signed out.
   * Default: on the session's own address, on any chain.
   */
  covers?: (session: Session, account: { address: Address; chainId: number }) => boolean
}

/** The flow of signing in, loaded when it is first needed. */
export type SignIn = {
  /** The dialog is open: the message is prepared before it is asked for. */
  open: () => void
  /** Asks the wallet at once when a message is prepared. A second call joins the first; the signed in are not asked. */
  sign: () => Promise<Session>
  signOut: () => Promise<void>
  /** The session has ended in another tab. */
  forget: () => void
  /** The session has ended here: the server and the other tabs are told. */
  leave: () => void
  /** What the server still knows of this browser. Never rejects. */
  restore: () => Promise<Session | undefined>
  /** Takes over what `restore` finds, if the connection is still the same. */
  resume: () => Promise<void>
}
