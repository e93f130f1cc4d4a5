import { info } from '@lineage/referral-api/openapi'
import { operations } from '@lineage/referral-api/operations'
import { apiPath } from '../http/handler.ts'

/** Guide to the lookups for programs and agents. */
export const guide = [
  `${info.summary}: who referred whom, how large a team is, and how it grows. ${info.description}`,
  'A member is an address that was bound to a referrer. Directs are its direct referrals, the team is its whole downline.',
  'Ask `communities` for the ids of communities, or `addresses` where an address is a member. Who referred an address: `member` ' +
    '(`referrer`), up to the root `referrers`. How large a team is: `member` (`team`), how it grew: `growth`. How two are ' +
    'related: `relation`, who stands between them: `line`.',
  'Lists go on with their `nextCursor` as `cursor`.',
].join('\n')

/**
 * Returns the text of `/llms.txt`, which tells programs and agents what this site offers them.
 *
 * @see https://llmstxt.org
 */
export function createLlmsText({ origin, mcp }: { origin: string; mcp: 'on' | 'off' }): string {
  const shown = operations.filter(({ tag }) => tag === 'lookups' || tag === 'service')
  const door = `- [Model Context Protocol](${origin}/mcp): the lookups as tools, over streamable HTTP, without a key`
  return `# ${info.title}

${guide}

## For programs

${mcp === 'on' ? `${door}\n` : ''}- [OpenAPI document](${origin}${apiPath('openapi')}): every operation with its schemas
- [Documentation](${origin}${apiPath('docs')}): a page to try them

## Operations

Below ${origin}/v1, without a key:

${shown.map(({ id, method, path, summary }) => `- ${id}: \`${method.toUpperCase()} ${path}\`: ${summary}`).join('\n')}
`
}
