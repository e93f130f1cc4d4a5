import type { Address, Hex } from 'viem'

/** Proof that the person holds `address`, as the server granted it. */
export type Session = {
  address: Address
  chainId: number
  /** Unix milliseconds. */
  expiresAt: number
}

/** What sign-in needs of a server. `./siwe` is one; a host may bring its own. */
export type AuthenticationAdapter = {
  getNonce: () => Promise<string>
  createMessage: (parameters: { nonce: string; address: Address; chainId: number }) => string | Promise<string>
  verify: (parameters: { message: string; signature: Hex }) => Promise<Session>
  signOut?: () => Promise<void>
  getSession?: () => Promise<Session | undefined>
}
