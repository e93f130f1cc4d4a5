/** One thing wrong with a configuration: where, in which community, and why. */
export type ConfigIssue = {
  /** `communities[0].event`; empty for the configuration as a whole. */
  path: string
  /** The community's id, where it has one. */
  community: string | undefined
  reason: string
}

const linesShown = 50

/**
 * A configuration that is refused, with everything that is wrong with it.
 *
 * @example
 * error.message // 'communities[0].event: there is no argument "user" … (community "panther")'
 */
export class ConfigError extends Error {
  override readonly name = 'ConfigError'
  readonly issues: readonly ConfigIssue[]

  constructor(issues: readonly ConfigIssue[], options?: { cause?: unknown }) {
    const more = issues.length - linesShown
    super([...issues.slice(0, linesShown).map(toLine), ...(more > 0 ? [`… and ${more} more`] : [])].join('\n'), options)
    this.issues = issues
  }
}

function toLine({ path, community, reason }: ConfigIssue): string {
  const where = path === '' ? '' : `${path}: `
  return `${where}${reason}${community === undefined ? '' : ` (community "${community}")`}`
}
