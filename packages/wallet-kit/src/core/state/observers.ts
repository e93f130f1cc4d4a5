import type { WalletKit } from '../WalletKit.ts'

const observersOf = new WeakMap<WalletKit, ReadonlySet<object>>()

/** Remembers the subscribers of a kit for `isObserved`. */
export function registerObservers(kit: WalletKit, observers: ReadonlySet<object>): void {
  observersOf.set(kit, observers)
}

/** Checks whether a kit has subscribers. */
export const isObserved = (kit: WalletKit): boolean => Boolean(observersOf.get(kit)?.size)
