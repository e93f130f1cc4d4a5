/** Which chain a node serves. Checked again after a while and after each outage: its URL may lead elsewhere by then. */
export type ChainIdentity =
  | { status: 'unchecked' }
  | { status: 'right'; checkedAt: number }
  | { status: 'other'; chainId: number; checkedAt: number }

export const unchecked: ChainIdentity = { status: 'unchecked' }

/** Returns the identity of a node that answered with `chainId`. */
export function identify(chainId: number, expected: number, checkedAt: number): ChainIdentity {
  return chainId === expected ? { status: 'right', checkedAt } : { status: 'other', chainId, checkedAt }
}

/** `true` if the chain was not checked since that time. */
export function isOutdated(identity: ChainIdentity, since: number): boolean {
  return identity.status === 'unchecked' || identity.checkedAt < since
}

/** Makes the right chain uncertain; another chain stays known until the next check. */
export function afterOutage(identity: ChainIdentity): ChainIdentity {
  return identity.status === 'other' ? identity : unchecked
}
