import { readFile, stat } from 'node:fs/promises'
import { extname, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import * as z from 'zod'
import type { Config } from './Community.ts'
import { communitySchema } from './communitySchema.ts'
import { addIssue, ConfigError, type ConfigIssue, orNotAnObject, shorten } from './issues.ts'

/** A configuration as written by its author. */
export type ConfigInput = z.input<typeof configSchema>

const configSchema = z.strictObject(
  {
    communities: z
      .array(communitySchema, 'must be a list of communities')
      .min(1, 'must hold at least one community')
      .superRefine((communities, context) => {
        for (const [index, { id }] of communities.entries())
          if (communities.findIndex((other) => other.id === id) < index)
            addIssue(context, `"${id}" is taken by an earlier community: choose another`, [index, 'id'])
      }),
  },
  orNotAnObject,
)

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

/**
 * Reads the configuration from a JSON file, or from the default export of a TypeScript or JavaScript module.
 *
 * @example
 * const { communities } = await loadConfig('lineage.config.json')
 *
 * @throws {ConfigError} and no other error
 */
export async function loadConfig(path: string | undefined): Promise<Config> {
  if (!path) throw toConfigError('LINEAGE_CONFIG is not set: set it to the path of the configuration file')
  const file = resolve(path)
  let input: unknown
  try {
    if ((await stat(file)).isDirectory()) throw new Error('it is a directory. Name the file in it.')
    input =
      extname(file).toLowerCase() === '.json'
        ? // Some editors begin the file with a byte order mark, which JSON.parse rejects.
          JSON.parse((await readFile(file, 'utf8')).replace(/^\uFEFF/, ''))
        : ((await import(/* @vite-ignore */ pathToFileURL(file).href)) as { default?: unknown }).default
  } catch (cause) {
    throw toConfigError(`${path} cannot be read: ${cause instanceof Error ? cause.message : String(cause)}`, cause)
  }
  if (typeof input !== 'object' || input === null || Array.isArray(input))
    throw toConfigError(`${path} must hold an object { "communities": […] }, a module as its default export`)
  return parseConfig(input)
}

function toConfigError(reason: string, cause?: unknown): ConfigError {
  return new ConfigError([{ path: '', community: undefined, reason }], { cause })
}

/**
 * Checks a configuration and parses its ABI texts.
 *
 * @example
 * parseConfig({ communities: [{
 *   id: 'panther', name: 'PantherSwap', chainId: 56, address: '0x…', startBlock: 7_500_000,
 *   event: 'event ReferralRecorded(address indexed user, address indexed referrer)',
 *   member: 'user', referrer: 'referrer',
 * }] })
 *
 * @throws {ConfigError} and no other error
 */
export function parseConfig(input: unknown): Config {
  let result: z.ZodSafeParseResult<Config>
  try {
    result = configSchema.safeParse(input)
  } catch (cause) {
    const reason = 'the configuration cannot be read: write it as plain JSON'
    throw new ConfigError([{ path: '', community: undefined, reason }], { cause })
  }
  if (result.success) return result.data
  throw new ConfigError(result.error.issues.map((issue) => toConfigIssue(issue, input)))
}

function toConfigIssue(issue: z.core.$ZodIssue, input: unknown): ConfigIssue {
  return { path: formatPath(issue.path), community: communityAt(issue.path, input), reason: toReason(issue) }
}

function formatPath(path: readonly PropertyKey[]): string {
  return path.reduce<string>(
    (text, key) => (typeof key === 'number' ? `${text}[${key}]` : `${text}${text && '.'}${String(key)}`),
    '',
  )
}

function communityAt([list, index]: readonly PropertyKey[], input: unknown): string | undefined {
  if (list !== 'communities' || typeof index !== 'number') return undefined
  const id = (input as { communities: { id?: unknown }[] }).communities[index]?.id
  return typeof id === 'string' ? shorten(id) : undefined
}

function toReason(issue: z.core.$ZodIssue): string {
  if (issue.code !== 'unrecognized_keys') return issue.message
  return `unknown field ${issue.keys.map((key) => `"${shorten(key)}"`).join(', ')}: check the spelling`
}
