import { assertParameters } from '../core/lib/errors.ts'
import { createLazy } from '../core/lib/promises.ts'
import type { NamesConfig } from '../core/state/config.ts'
import type { EnsNamesOptions } from './createEnsReader.ts'

/**
 * Creates a source of ENS names with their avatars, read from Ethereum by the Universal Resolver. A name counts only if it
 * leads back to the account. Ethereum does not have to be among the chains of the kit.
 *
 * @param options - The node, and whether to ask other servers.
 * @example
 * const names = { resolve: ensNames({ transport: 'https://ethereum.example' }), bnb: true }
 */
export function ensNames(options: EnsNamesOptions = {}): NonNullable<NamesConfig['resolve']> {
  assertParameters(options, 'transport', 'ccipRead')
  // One reader, because viem joins its concurrent reads.
  const { load } = createLazy(async () => (await import('./createEnsReader.ts')).createEnsReader(options))
  return async ({ address }) => (await load())(address)
}
