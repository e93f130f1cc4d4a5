import * as z from 'zod'

/** One error of a configuration. */
export type ConfigIssue = {
  /** Path of the field, such as `communities[0].event`; empty for the whole configuration. */
  path: string
  /** The community's id, if it has one. */
  community: string | undefined
  reason: string
}

const maxLines = 50

/**
 * Thrown for an invalid configuration, with all of its errors.
 *
 * @example
 * error.message // 'communities[0].event: there is no argument "user" … (community "panther")'
 */
export class ConfigError extends Error {
  override readonly name = 'ConfigError'
  readonly issues: readonly ConfigIssue[]

  constructor(issues: readonly ConfigIssue[], options?: { cause?: unknown }) {
    const more = issues.length - maxLines
    super([...issues.slice(0, maxLines).map(toLine), ...(more > 0 ? [`… and ${more} more`] : [])].join('\n'), options)
    this.issues = issues
  }
}

function toLine({ path, community, reason }: ConfigIssue): string {
  const where = path === '' ? '' : `${path}: `
  return `${where}${reason}${community === undefined ? '' : ` (community "${community}")`}`
}

/** Adds an issue at a field of the value being checked; without a path, at the value itself. */
export function addIssue(context: z.core.$RefinementCtx, message: string, path: (string | number)[] = []): void {
  context.addIssue({ code: 'custom', path, message })
}

/** Adds an issue and returns zod's placeholder that ends a transform. */
export function reject(context: z.core.$RefinementCtx, message: string, path: string[] = []): never {
  addIssue(context, message, path)
  return z.NEVER
}

/** Error option of objects. It replaces zod's message only for values of another type. */
export const orNotAnObject = {
  error: ({ code }: { code?: string }) => (code === 'invalid_type' ? 'must be an object' : undefined),
}

/** Shortens text that is quoted in a message. */
export function shorten(text: string): string {
  return text.length > 80 ? `${text.slice(0, 79)}…` : text
}
