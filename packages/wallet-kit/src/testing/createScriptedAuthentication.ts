import type { AuthenticationAdapter } from '../core/state/authentication.ts'

/** Fault of the server in a step. */
type Behaviour = 'fail' | 'hang'

export type ScriptedAuthenticationOptions = {
  getNonce?: Behaviour
  verify?: Behaviour | 'otherAccount'
  signOut?: Behaviour
}

/** Creates an authentication adapter without a server, for tests and stories. */
export function createScriptedAuthentication(options: ScriptedAuthenticationOptions = {}): AuthenticationAdapter {
  const behave = async <T>(behaviour: string | undefined, value: T): Promise<T> => {
    if (behaviour === 'fail') throw new Error('The server failed.')
    return behaviour === 'hang' ? new Promise<never>(() => {}) : value
  }
  return {
    getNonce: () => behave(options.getNonce, 'f3a7c09d51'),
    createMessage: ({ nonce, address, chainId }) => `${address} signs in on ${chainId} with ${nonce}.`,
    verify: ({ message }) => {
      const signer = message.slice(0, 42) as `0x${string}`
      const address = options.verify === 'otherAccount' ? '0x00000000219ab540356cBB839Cbe05303d7705Fa' : signer
      return behave(options.verify, { address, chainId: 56, expiresAt: Date.now() + 86_400_000 })
    },
    signOut: () => behave(options.signOut, undefined),
  }
}
