import type { AuthenticationAdapter } from '../core/authentication.ts'

/** How a step of the server goes, instead of well. */
type Behaviour = 'fail' | 'hang'

export type ScriptedAuthenticationOptions = {
  getNonce?: Behaviour
  verify?: Behaviour | 'otherAccount'
  signOut?: Behaviour
}

/** Stands in for the server that people sign in at, for tests and stories. */
export function createScriptedAuthentication(options: ScriptedAuthenticationOptions = {}): AuthenticationAdapter {
  const behave = async <T>(behaviour: string | undefined, value: T): Promise<T> => {
    if (behaviour === 'fail') throw new Error('The server failed.')
    return behaviour === 'hang' ? new Promise<never>(() => {}) : value
  }
  return {
    getNonce: () => behave(options.getNonce, 'f3a7c09d51'),
    createMessage: ({ nonce, address, chainId }) => `${address} signs in on ${chainId} with ${nonce}.`,
    verify: ({ message }) => {
      const own = message.slice(0, 42) as `0x${string}`
      const address = options.verify === 'otherAccount' ? '0x00000000219ab540356cBB839Cbe05303d7705Fa' : own
      return behave(options.verify, { address, chainId: 56, expiresAt: Date.now() + 86_400_000 })
    },
    signOut: () => behave(options.signOut, undefined),
  }
}
