import type { ConfigInput } from './parseConfig.ts'

/**
 * Returns a configuration, with types for a TypeScript module.
 *
 * @example
 * // lineage.config.ts
 * export default defineCommunities([{ id: 'panther', name: 'PantherSwap', chainId: 56, … }])
 */
export function defineCommunities(communities: ConfigInput['communities']): ConfigInput {
  return { communities }
}
