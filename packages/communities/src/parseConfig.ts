import * as z from 'zod'
import type { Config } from './Community.ts'
import { ConfigError, type ConfigIssue } from './ConfigError.ts'
import { communitySchema } from './communitySchema.ts'
import { addIssue, orNotAnObject, shorten } from './issues.ts'

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
