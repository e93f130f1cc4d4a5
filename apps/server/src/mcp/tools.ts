import { type Operation, operations, pathParameters } from '@lineage/referral-api/operations'
import type { LookupId } from '@lineage/referral-api/routes'
import * as z from 'zod'
import type { LookupRequest } from '../lookups/Index.ts'
import { parseLookup } from '../lookups/parseLookup.ts'

/** A lookup as a tool: its arguments combine path, query and body. */
export type Tool = {
  name: LookupId
  description: string
  inputSchema: z.ZodObject
  operation: Operation
}
export type Arguments = Record<string, unknown>

/** Every lookup except the CSV, which is as long as a downline. */
export const tools: readonly Tool[] = operations
  .filter((operation) => operation.tag === 'lookups')
  .filter(({ response }) => 'schema' in response)
  .map((operation) => ({
    name: operation.id,
    description: `${operation.summary}.`,
    inputSchema: z.strictObject({
      ...Object.fromEntries(namesInPath(operation).map((name) => [name, withDescription(pathParameters[name])])),
      ...Object.fromEntries(Object.entries(operation.query ?? {}).map(([name, one]) => [name, toArgument(one)])),
      ...shapeOfBody(operation),
    }),
    operation,
  }))

/** Returns the lookup of a call. @throws {ProblemError} */
export function toRequest({ name: id, operation }: Tool, given: Arguments): LookupRequest {
  const path = Object.fromEntries(namesInPath(operation).map((name) => [name, String(given[name])]))
  const query = new URLSearchParams()
  for (const name of Object.keys(operation.query ?? {}))
    if (given[name] !== undefined) query.set(name, String(given[name]))
  const inBody = Object.keys(shapeOfBody(operation)).map((name) => [name, given[name]])
  const body = operation.body ? Object.fromEntries(inBody) : undefined
  return parseLookup(id, { path, query, body, atLeast: 0 })
}

type Parameter = NonNullable<Operation['query']>[string]

function withDescription({ schema, description }: Pick<Parameter, 'schema' | 'description'>): z.ZodType {
  return schema.describe(description)
}

function toArgument({ schema, description, isRequired }: Parameter): z.ZodType {
  return withDescription({ schema: isRequired ? schema : schema.optional(), description })
}

function namesInPath({ path }: Operation) {
  return [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name as keyof typeof pathParameters)
}

function shapeOfBody({ body }: Operation): z.ZodRawShape {
  return body && 'schema' in body && body.schema instanceof z.ZodObject ? body.schema.shape : {}
}

const ofMember = { path: '/', query: { community: 'community', address: 'address' } }
const ofCommunity = { path: '/metrics', query: { community: 'community' } }
const ofPair = { path: '/referrers?view=relation', query: { community: 'community', address: 'a', to: 'b' } }

/** The page that shows the answer of each tool, and the argument behind each parameter of its link. */
const pages: Partial<Record<Tool['name'], { path: string; query: Record<string, string> }>> = {
  communities: { path: '/metrics?view=communities', query: {} },
  addresses: { path: '/search', query: { address: 'address' } },
  metrics: ofCommunity,
  map: ofCommunity,
  events: ofCommunity,
  search: { path: '/search', query: { community: 'community' } },
  batch: { path: '/search?view=list', query: { community: 'community' } },
  relation: ofPair,
  line: ofPair,
  member: ofMember,
  levels: ofMember,
  growth: ofMember,
  compare: ofMember,
  teamMap: ofMember,
  memberEvents: ofMember,
  referrals: { path: '/referrals', query: ofMember.query },
  referrers: { path: '/referrers', query: ofMember.query },
}

/**
 * Returns the link to the page that shows a person the answer of a tool.
 *
 * @example linkOf('member', { community: 'demo', address: '0x…' }, 'https://lineage.example')
 */
export function linkOf(name: Tool['name'], given: Arguments, origin: string): string {
  const { path, query } = pages[name] ?? { path: '/', query: {} }
  const link = new URL(path, origin)
  for (const [parameter, argument] of Object.entries(query)) link.searchParams.set(parameter, String(given[argument]))
  return link.href
}
