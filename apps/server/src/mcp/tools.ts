import { type Operation, operations, pathParameters } from '@lineage/referral-api/operations'
import { fillPath, type LookupId } from '@lineage/referral-api/routes'
import * as z from 'zod'

/** A lookup as a tool: its arguments combine path, query and body. */
export type Tool = {
  name: LookupId
  description: string
  inputSchema: z.ZodObject
  operation: Operation
}
export type Arguments = Record<string, unknown>
/** The request of a lookup; `target` is its path below `/v1` with the query. */
export type LookupRequest = { id: LookupId; method: string; target: string; body: string | null }

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

/** Returns the request for a call with valid arguments. */
export function toRequest({ name: id, operation }: Tool, given: Arguments): LookupRequest {
  const inPath = namesInPath(operation).map((name) => toUtf8(String(given[name])))
  const query = new URLSearchParams()
  for (const name of Object.keys(operation.query ?? {}))
    if (given[name] !== undefined) query.set(name, String(given[name]))
  const inBody = Object.keys(shapeOfBody(operation)).map((name) => [name, given[name]])
  return {
    id,
    method: operation.method.toUpperCase(),
    target: `${fillPath(operation.path, inPath)}${query.size > 0 ? `?${query}` : ''}`,
    body: operation.body ? JSON.stringify(Object.fromEntries(inBody)) : null,
  }
}

/** Replaces lone surrogates, which a path cannot contain. */
const toUtf8 = (text: string): string => Buffer.from(text).toString()

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
