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
