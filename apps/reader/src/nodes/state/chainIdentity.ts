/**
 * Chain that a node serves. It is checked again after a while and after each outage, because the URL may lead to
 * another node by then.
 */
export type ChainIdentity =
  | { status: 'unchecked' }
  | { status: 'right'; checkedAt: number }
  | { status: 'other'; chainId: number; checkedAt: number }

export const unchecked: ChainIdentity = { status: 'unchecked' }

/** Returns the identity of a node that answered with `chainId`. */
export function identify(chainId: number, expected: number, checkedAt: number): ChainIdentity {
  return chainId === expected ? { status: 'right', checkedAt } : { status: 'other', chainId, checkedAt }
}

/** Returns whether the chain was not checked since that time. */
export function isOutdated(identity: ChainIdentity, since: number): boolean {
  return identity.status === 'unchecked' || identity.checkedAt < since
}

/** Marks a correct chain as unchecked. A wrong chain stays known until the next check. */
export function afterOutage(identity: ChainIdentity): ChainIdentity {
  return identity.status === 'other' ? identity : unchecked
}
