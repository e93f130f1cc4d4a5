import type { ConfigInput } from './parseConfig.ts'

/**
 * Types a configuration written in TypeScript.
 *
 * @example
 * // lineage.config.ts
 * export default defineCommunities([{ id: 'panther', name: 'PantherSwap', chainId: 56, … }])
 */
export function defineCommunities(communities: ConfigInput['communities']): ConfigInput {
  return { communities }
}
