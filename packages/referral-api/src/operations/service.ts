import { member, newestBlock, toExample } from '../examples.ts'
import type { pageRoutes, serviceRoutes } from '../routes.ts'
import { rpcRequest } from '../schemas.ts'
import type { DetailsOf } from './details.ts'
import { ofCommunity, queryAddress } from './parameters.ts'

const call = { jsonrpc: '2.0', id: 1, method: 'eth_chainId', params: [] }
const change = { asOf: newestBlock, members: 4012, changed: [member], count: 1, fork: null }

export const service = {
  live: {
    summary: 'Tells of each change of a community, and of new alerts, as Server-Sent Events',
    query: { address: { ...queryAddress, description: 'Only changes that concern the team of this address.' } },
    type: 'text/event-stream',
    problems: [...ofCommunity, 'invalid_address'],
    example: toExample(`event: change\nid: ${newestBlock.block}\ndata: ${JSON.stringify(change)}\n\n`),
  },
  status: {
    summary: 'Progress of the index, and faults that the operator should fix',
    problems: [],
    example: toExample({
      state: 'ready',
      progress: null,
      asOf: newestBlock,
      headBlock: newestBlock.block,
      note: null,
      warnings: [],
      spotChecks: [],
    }),
  },
  config: {
    summary: 'Settings that the web app loads first',
    problems: [],
    example: toExample({
      chainId: 56,
      rpcUrls: ['https://bsc-dataseed.bnbchain.org', '/v1/rpc'],
      relayProjectId: null,
      relayUrl: null,
      names: { service: false, bnb: true },
      demo: null,
    }),
  },
  health: { summary: 'Whether the process is running', problems: [], example: toExample({ status: 'ok' }) },
  ready: {
    summary: 'Whether lookups are ready and current',
    problems: ['indexing', 'unavailable'],
    example: toExample({ status: 'ready' }),
  },
  rpc: {
    summary: 'Read-only JSON-RPC calls, forwarded to a node',
    body: { schema: rpcRequest },
    problems: ['cross_site', 'payload_too_large', 'unsupported_media_type'],
    example: toExample({ jsonrpc: '2.0', id: 1, result: '0x38' }, call),
  },
  name: {
    summary: 'Name of an account, if a name service is configured',
    query: { address: { ...queryAddress, isRequired: true } },
    problems: ['invalid_address', 'not_found'],
    example: toExample({ data: 'lineage.bnb' }),
  },
  openapi: { summary: 'This document', type: 'application/json', problems: [] },
  docs: { summary: 'A page to try the API', type: 'text/html', problems: [] },
} satisfies DetailsOf<typeof pageRoutes & typeof serviceRoutes>
