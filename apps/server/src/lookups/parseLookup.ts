import { parseAddress } from '@lineage/communities'
import type { Address, BodyOf } from '@lineage/referral-api'
import { parseQuery } from '@lineage/referral-api/parse-query'
import { batchLimit } from '@lineage/referral-api/problems'
import type { LookupId } from '@lineage/referral-api/routes'
import { batchRequest } from '@lineage/referral-api/schemas'
import { ProblemError, queryProblem } from '../lib/problem.ts'
import type { LookupRequest } from './Index.ts'

export type RequestParts = {
  path: { community?: string; address?: string }
  query: URLSearchParams
  /** Parsed JSON; `undefined` for a request without a body. */
  body?: unknown
  /** Block that the client has seen; 0 for none. */
  atLeast?: number
}

/**
 * Validates the parts of a request for a lookup.
 *
 * @throws {ProblemError} `invalid_address`, `invalid_body`, or a problem of the query
 */
export function parseLookup<id extends LookupId>(id: id, { path, query, body, atLeast = 0 }: RequestParts) {
  const { community, address } = path
  const parsed = parseQuery(id, query)
  if ('problem' in parsed) throw queryProblem(parsed.problem)
  const request = {
    id,
    path: {
      ...(community !== undefined && { community }),
      ...(address !== undefined && { address: readAddress(address) }),
    },
    query: parsed.query,
    body: (id === 'batch' ? readBatch(body) : undefined) as BodyOf<id>,
    atLeast: Number.isSafeInteger(atLeast) ? Math.max(atLeast, 0) : 0,
  }
  for (const name of ['a', 'b'] as const) if (name in request.query) readPairAddress(name, query)
  return request as LookupRequest<id>
}

/** Parses an address. @throws {ProblemError} `invalid_address` */
function readAddress(text: string, prefix = '', extra: { parameter?: string } = {}): Address {
  const parsed = parseAddress(text)
  if (parsed.status === 'valid') return parsed.address
  throw new ProblemError('invalid_address', `${prefix}${addressFaults[parsed.status]}`, extra)
}

const readPairAddress = (name: 'a' | 'b', query: URLSearchParams): Address =>
  readAddress(query.get(name) ?? '', `${name}: `, { parameter: name })

export const addressFaults = {
  malformed: 'Invalid address: it must be 0x and 40 hex digits.',
  checksum: 'Invalid address: its checksum is wrong, a character may be mistyped. Lower case is not checked.',
}

/** Reads the body of a batch. Addresses stay as sent, because each has an error of its own. */
function readBatch(body: unknown): BodyOf<'batch'> {
  const { data, error } = batchRequest.safeParse(body)
  if (data) return data
  throw new ProblemError(
    'invalid_body',
    error.issues.some(({ code }) => code === 'too_big')
      ? `Too many addresses: a batch has at most ${batchLimit}. Split it.`
      : 'Invalid request body: send { "addresses": ["0x…", …] }, with "tx": true to include transactions, and nothing else.',
  )
}
