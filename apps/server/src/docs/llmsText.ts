import { info } from '@lineage/referral-api/openapi'
import { operations } from '@lineage/referral-api/operations'
import { apiPath } from '../lib/apiPath.ts'
import { guide } from './guide.ts'

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
