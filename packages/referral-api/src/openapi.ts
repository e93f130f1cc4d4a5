import * as z from 'zod'
import { parameterExamples } from './examples.ts'
import { liveEvents } from './live.ts'
import { type Content, type Operation, operations, pathParameters } from './operations.ts'
import { problems, problemType } from './problems.ts'
import { atLeastHeader } from './routes.ts'
import * as schemas from './schemas.ts'

type Json = Record<string, unknown>
type ProblemCode = keyof typeof problems

/** Problems of every operation. Below: those of operations with a parameter in the path. */
const ofEvery = ['invalid_parameter', 'rate_limited', 'unavailable', 'internal'] as const
const ofPath = ['not_found', ...ofEvery] as const

/** Schemas with a name of their own in the document: all of the contract except texts and their lists of values. */
const named: Record<string, z.ZodType> = {
  LiveBeat: liveEvents.beat,
  LiveChange: liveEvents.change,
  ...Object.fromEntries(
    Object.entries<unknown>(schemas)
      .filter((entry): entry is [string, z.ZodType] => entry[1] instanceof z.ZodType)
      .filter(([, schema]) => ![z.ZodString, z.ZodEnum, z.ZodUndefined].some((plain) => schema instanceof plain))
      .map(([name, schema]) => [`${name[0]?.toUpperCase()}${name.slice(1)}`, schema]),
  ),
}

/** Name, version and conventions of the API. */
export const info = {
  title: 'Lineage',
  version: '1.0.0',
  summary: 'Referral communities on BNB Smart Chain',
  description:
    'Addresses are accepted in any case and returned with their checksum. Amounts are decimal strings in the token’s ' +
    'smallest unit. Times are Unix seconds; days are of the time zone `tz`, UTC without it. `asOf` is the block that a ' +
    'response was computed at; responses have a weak ETag. Errors are problems (RFC 9457) with a stable `code`. ' +
    'Unknown parameters are refused.',
  license: { name: 'MIT', identifier: 'MIT' },
}

/**
 * Creates the OpenAPI 3.1 document of the API from its operations and schemas.
 *
 * @see https://spec.openapis.org/oas/v3.1.1
 * @example Response.json(createOpenApi())
 */
export function createOpenApi(): Json {
  const paths: Record<string, Json> = {}
  for (const operation of operations) {
    const path = paths[operation.path] ?? { parameters: parametersOfPath(operation.path) }
    path[operation.method] = toOperation(operation)
    paths[operation.path] = path
  }
  return {
    openapi: '3.1.1',
    info,
    servers: [{ url: '/v1' }],
    tags: [
      { name: 'lookups', description: 'Members, their referrers and referrals.' },
      { name: 'accounts', description: 'Sign-in with a wallet, and the labels and alerts of an account.' },
      { name: 'service', description: 'State and settings of the service.' },
    ],
    paths,
    components: {
      schemas: toSchemas(),
      securitySchemes: { session: { type: 'apiKey', in: 'cookie', name: '__Host-siwe-session' } },
    },
  }
}

function toSchemas(): Json {
  const registry = z.registry<{ id: string }>()
  for (const [id, schema] of Object.entries(named)) registry.add(schema, { id })
  // `input` leaves objects open, so that a field added to a response later does not break a client.
  const made = z.toJSONSchema(registry, { uri: toRef, io: 'input' }).schemas
  return Object.fromEntries(Object.entries(made).map(([id, { $schema, $id, ...schema }]) => [id, schema]))
}

function toSchema(schema: z.ZodType): Json {
  const { $schema, ...rest } = z.toJSONSchema(schema, { io: 'input' })
  return rest
}

function parametersOfPath(path: string): Json[] {
  return [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => {
    const { schema, description } = pathParameters[name as keyof typeof pathParameters]
    return { name, in: 'path', required: true, description, schema: toSchema(schema), ...exampleOf(name as string) }
  })
}

function toOperation(operation: Operation): Json {
  const { path, id, tag, method, summary, query = {}, body, response, problems: own, deprecated, example } = operation
  return {
    operationId: id,
    tags: [tag],
    summary,
    ...(deprecated && { deprecated: true, description: `Ends on ${deprecated.sunset}. ${deprecated.instead}` }),
    ...(own.includes('unauthenticated') && { security: [{ session: [] }] }),
    parameters: [
      ...Object.entries(query).map(([name, { schema, description, isRequired }]) => ({
        name,
        in: 'query',
        required: isRequired === true,
        description,
        schema: toSchema(schema),
        ...exampleOf(name),
      })),
      ...(tag === 'lookups' && path.includes('{community}') ? [atLeast] : []),
    ],
    ...(body && { requestBody: { required: true, content: toContent(body, example?.body) } }),
    responses: {
      ...toResponses(tag === 'lookups' && method === 'get' ? 'tagged' : 'plain', response, example?.response),
      ...toProblems([...own, ...(path.includes('{') ? ofPath : ofEvery)]),
    },
  }
}

const atLeast = {
  name: atLeastHeader,
  in: 'header',
  required: false,
  description:
    'A block that the answer must have reached; otherwise it is `unavailable` after a second. With the name of an index from `lineage-index`, it counts for that index only.',
  schema: { type: 'string', pattern: '^[0-9]{1,15}(;[0-9a-f]{8})?$' },
}

function exampleOf(parameter: string): Json {
  const example = parameterExamples[parameter]
  return example === undefined ? {} : { example }
}

/** Returns the responses of an operation. @param kind `tagged`: with an ETag, so that 304 is possible. */
function toResponses(kind: 'tagged' | 'plain', response: Content, example: unknown): Json {
  const schema = 'schema' in response ? response.schema : undefined
  if (schema === schemas.nothing) return { 204: { description: 'Done.' } }
  const headers = {
    ETag: { description: 'Weak, by block.', schema: { type: 'string' } },
    'Cache-Control': { schema: { type: 'string' } },
    'Server-Timing': { description: '`app`: milliseconds in the process that answered.', schema: { type: 'string' } },
  }
  const isTagged = kind === 'tagged'
  return {
    200: { description: 'Success.', ...(isTagged && { headers }), content: toContent(response, example) },
    ...(isTagged && { 304: { description: 'Unchanged since the response with this ETag.' } }),
    ...(schema === schemas.rpcResponse && { 204: { description: 'Notifications only: no call has a response.' } }),
  }
}

function toContent(content: Content, example: unknown): Json {
  const shown = example === undefined ? {} : { example }
  if ('type' in content)
    return { [content.type]: { ...(content.type === 'application/json' && { schema: { type: 'object' } }), ...shown } }
  return { 'application/json': { schema: refTo(content.schema), ...shown } }
}

const toRef = (id: string) => `#/components/schemas/${id}`

function refTo(schema: z.ZodType): Json {
  const found = Object.entries(named).find(([, one]) => one === schema)
  if (!found)
    throw new Error(
      '`schemas.ts` does not export a schema of an operation: export it under the name that the document shows.',
    )
  return { $ref: toRef(found[0]) }
}

/** Groups problem codes by status. */
function toProblems(codes: readonly ProblemCode[]): Json {
  const byStatus = new Map<number, ProblemCode[]>()
  for (const code of new Set(codes)) {
    const { status } = problems[code]
    byStatus.set(status, [...(byStatus.get(status) ?? []), code])
  }
  return Object.fromEntries(
    [...byStatus].map(([status, of]) => [
      status,
      {
        description: of.map((code) => `\`${code}\``).join(', '),
        ...((status === 429 || status === 503) && {
          headers: { 'Retry-After': { description: 'Seconds.', schema: { type: 'integer' } } },
        }),
        content: {
          'application/problem+json': {
            schema: {
              allOf: [refTo(schemas.problem), { properties: { code: { enum: of }, status: { const: status } } }],
            },
            examples: Object.fromEntries(of.map((code) => [code, { value: toProblem(code) }])),
          },
        },
      },
    ]),
  )
}

function toProblem(code: ProblemCode): Json {
  const { status, title } = problems[code]
  return { type: problemType(code), title, status, detail: `${title}.`, code }
}
