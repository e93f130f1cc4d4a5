import * as z from 'zod'
import { examples, parameterExamples } from './examples.ts'
import { type Content, type Operation, operations, pathParameters } from './operations.ts'
import { problems } from './problems.ts'
import * as schemas from './schemas.ts'

type Json = Record<string, unknown>
type ProblemCode = keyof typeof problems

/** What any request may meet; one with a parameter in its path, that it is no path. */
const anywhere = ['rate_limited', 'unavailable', 'internal'] as const
const ofPath = ['not_found', ...anywhere] as const

/** What the document says once, by its name there. */
const named = {
  Communities: schemas.communities,
  Community: schemas.community,
  Member: schemas.member,
  MemberSummary: schemas.memberSummary,
  Levels: schemas.levels,
  Growth: schemas.growth,
  Referrals: schemas.referrals,
  Referrers: schemas.referrers,
  Search: schemas.search,
  Batch: schemas.batch,
  BatchRequest: schemas.batchRequest,
  Events: schemas.events,
  Metrics: schemas.metrics,
  AsOf: schemas.asOf,
  Progress: schemas.progress,
  Status: schemas.status,
  Health: schemas.health,
  Ready: schemas.ready,
  Config: schemas.config,
  AccountName: schemas.accountName,
  Label: schemas.label,
  LabelContent: schemas.labelContent,
  Labels: schemas.labels,
  Nonce: schemas.nonce,
  Session: schemas.session,
  SignedMessage: schemas.signedMessage,
  RpcRequest: schemas.rpcRequest,
  RpcAnswer: schemas.rpcAnswer,
  Problem: schemas.problem,
}

/**
 * The contract as an OpenAPI 3.1 document, made from the schemas.
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
    info: {
      title: 'Lineage',
      version: '1.0.0',
      summary: 'Referral communities on BNB Smart Chain',
      description:
        'Addresses are taken in any case and answered with their checksum. Amounts are decimal strings of the token’s ' +
        'smallest unit. Times are Unix seconds, days UTC. `asOf` is the block an answer was computed at; answers have a ' +
        'weak ETag. An error is a problem (RFC 9457) with a `code` that does not change.',
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: '/v1' }],
    tags: [
      { name: 'lookups', description: 'Who referred whom, and what came of it.' },
      { name: 'accounts', description: 'Signing in with a wallet, and what is kept for an account.' },
      { name: 'service', description: 'How the service stands.' },
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
  // As they are asked for: a field that joins an answer breaks nobody.
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

function toOperation({ path, id, tag, summary, query = {}, body, answer, problems: own }: Operation): Json {
  return {
    operationId: id,
    tags: [tag],
    summary,
    ...(own.includes('unauthenticated') && { security: [{ session: [] }] }),
    parameters: Object.entries(query).map(([name, { schema, description, isRequired }]) => ({
      name,
      in: 'query',
      required: isRequired === true,
      description,
      schema: toSchema(schema),
      ...exampleOf(name),
    })),
    ...(body && { requestBody: { required: true, content: toContent(body, examples[id]?.body) } }),
    responses: {
      ...toAnswers(tag, answer, examples[id]?.answer),
      ...toProblems([...own, ...(path.includes('{') ? ofPath : anywhere)]),
    },
  }
}

function exampleOf(parameter: string): Json {
  const example = parameterExamples[parameter]
  return example === undefined ? {} : { example }
}

function toAnswers(tag: Operation['tag'], answer: Content, example: unknown): Json {
  if ('schema' in answer && answer.schema === schemas.nothing) return { 204: { description: 'Done.' } }
  const isTagged = tag === 'lookups' && !('schema' in answer && answer.schema === schemas.batch)
  const headers = {
    ETag: { description: 'Weak, by block.', schema: { type: 'string' } },
    'Cache-Control': { schema: { type: 'string' } },
    'Server-Timing': { description: '`app`: milliseconds in the process that answered.', schema: { type: 'string' } },
  }
  return {
    200: { description: 'The answer.', ...(isTagged && { headers }), content: toContent(answer, example) },
    ...(isTagged && { 304: { description: 'Nothing has changed since the answer of this ETag.' } }),
    ...('schema' in answer &&
      answer.schema === schemas.rpcAnswer && { 204: { description: 'No call asked for an answer.' } }),
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
  if (!found) throw new Error('A schema of an operation has no name in the document.')
  return { $ref: toRef(found[0]) }
}

/** By status: which codes it may carry. */
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
  return { type: 'about:blank', title, status, detail: `${title}.`, code }
}
