import { createForest } from '@lineage/forest'
import { createOpenApi } from '@lineage/referral-api/openapi'
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import * as fc from 'fast-check'
import { getAddress, numberToHex } from 'viem'
import { expect, test } from 'vitest'
import { parseConfig } from '../../config/index.ts'
import { createApi } from './createApi.ts'
import type { BindRow } from './follow.ts'

type Schema = Record<string, unknown>
type Parameter = { name: string; in: 'path' | 'query'; required: boolean; schema: Schema }
type Media = Record<string, { schema?: Schema }>
type Operation = {
  operationId: string
  tags: string[]
  parameters: Parameter[]
  requestBody?: { content: Media }
  responses: Record<string, { content?: Media }>
}
const document = createOpenApi() as {
  paths: Record<string, { parameters: Parameter[] } & Record<string, Operation>>
  components: { schemas: Record<string, Schema> }
}
const operations = Object.entries(document.paths).flatMap(([path, { parameters, ...methods }]) =>
  Object.entries(methods).map(([method, operation]) => ({
    ...operation,
    method: method.toUpperCase(),
    path,
    parameters: [...parameters, ...operation.parameters],
  })),
)
const lookups = operations.filter(
  ({ tags, operationId }) => tags[0] === 'lookups' || ['status', 'health', 'ready'].includes(operationId),
)

/** A small dirty community: a placeholder, a chain, a star, and each kind of event that makes no edge. */
const addressOf = (index: number) => numberToHex(index + 0xab_cdef, { size: 20 })
const binds: BindRow[] = Array.from({ length: 400 }, (_, index) => ({
  block: index + 1,
  logIndex: 0,
  timestamp: 1_700_000_000 + index * 7_000,
  tx: numberToHex(index, { size: 32 }),
  member: addressOf(index % 17 === 16 ? index - 3 : index + 1),
  referrer: addressOf(index % 13 === 12 ? index + 1 : index < 60 ? index : index % 40),
}))
const forest = createForest()
for (const [index, bind] of binds.entries()) {
  forest.bind(bind)
  forest.addVolume({ ...bind, amount: BigInt(index) ** 12n })
}
const { communities } = parseConfig({
  communities: [
    {
      id: 'demo',
      name: 'Demo',
      chainId: 56,
      address: '0x000000000000000000000000000000000000beef',
      startBlock: 1,
      event: 'event Bound(address member, address referrer)',
      member: 'member',
      referrer: 'referrer',
      tokens: { volume: { symbol: 'USDT', decimals: 18 } },
    },
  ],
})
const view = {
  asOf: { block: 400, timestamp: 1_702_800_000, finalizedBlock: 370 },
  forests: new Map([['demo', forest]]),
  version: 1,
}
const logged: string[] = []
const api = createApi({
  communities,
  follow: {
    view: () => view,
    status: () => ({ state: 'ready', progress: null, asOf: view.asOf, headBlock: 400, note: null }),
  },
  tables: {
    findTx: async (_, { block }) => numberToHex(block - 1, { size: 32 }),
    readBinds: async (_, { block, before }, limit) =>
      binds
        .filter((row) => row.block <= block && (!before || row.block < before.block))
        .reverse()
        .slice(0, limit),
  },
  log: (message) => logged.push(message),
  watch: { warnings: () => [], spotChecks: () => [], withheld: () => undefined },
})

/** No field that the document does not name. */
function closed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(closed)
  if (typeof value !== 'object' || value === null) return value
  const copy = Object.fromEntries(Object.entries(value).map(([key, item]) => [key, closed(item)]))
  return copy.properties && copy.type === 'object' && !copy.additionalProperties
    ? { ...copy, additionalProperties: false }
    : copy
}

const ajv = new Ajv2020({ strict: false, formats: { date: true } })
const components = closed(document.components)
const validators = new Map<string, ValidateFunction>()

function validatorOf(operation: Operation, status: number, type: string): ValidateFunction | undefined {
  const schema = operation.responses[status]?.content?.[type]?.schema
  if (!schema) return undefined
  const name = `${operation.operationId} ${status}`
  const validate = validators.get(name) ?? ajv.compile({ components, ...(closed(schema) as object) })
  validators.set(name, validate)
  return validate
}

async function expectOfContract(operation: Operation, response: Response): Promise<number> {
  const { operationId, responses } = operation
  const { status, headers } = response
  const text = await response.text()
  const said = `${operationId} ${status}: ${text.slice(0, 300)}`
  expect(status, said).not.toBe(500)
  expect(Object.keys(responses), said).toContain(String(status))
  const [type = ''] = (headers.get('content-type') ?? '').split(';')
  const media = responses[status]?.content
  if (!media) {
    expect(text, said).toBe('')
    return status
  }
  expect(Object.keys(media), said).toContain(type)
  const validate = validatorOf(operation, status, type)
  if (validate) expect(validate(JSON.parse(text)) || validate.errors, said).toBe(true)
  return status
}

const example: Record<string, string> = { community: 'demo', address: addressOf(1), q: '0xAb', limit: '7' }
const fill = (path: string, values: Record<string, string>) =>
  path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(values[name] ?? ''))
const goodBody = JSON.stringify({ addresses: [addressOf(1), 'x', addressOf(9_999)] })
const json = { 'content-type': 'application/json' }

test.each(lookups.map((operation) => [operation.operationId, operation] as const))(
  'behavior: a real answer of %s is as the document says',
  async (_, operation) => {
    const required = operation.parameters.filter((parameter) => parameter.in === 'query' && parameter.required)
    const search = new URLSearchParams(required.map(({ name }): [string, string] => [name, example[name] ?? '']))
    const target = `/v1${fill(operation.path, example)}?${search}`
    const response = await api.request(target, {
      method: operation.method,
      ...(operation.requestBody && { headers: json, body: goodBody }),
    })
    const tag = response.headers.get('etag')
    expect(await expectOfContract(operation, response)).toBe(200)
    if (!tag) return
    const again = await api.request(target, { headers: { 'if-none-match': tag } })
    expect(await expectOfContract(operation, again)).toBe(304)
  },
)

/** Sometimes what the schema asks for, sometimes next to it, sometimes anything. */
function valuesOf({ name, schema }: Parameter): fc.Arbitrary<string> {
  const anything = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 60 }),
    fc.string({ maxLength: 60 }),
    fc.constantFrom(
      '',
      '0',
      '-1',
      '1e9',
      'NaN',
      'null',
      '[]',
      '..',
      '%',
      '__proto__',
      'constructor',
      '\0',
      '٣',
      '9'.repeat(40),
    ),
  )
  const options = [schema, ...((schema.anyOf as Schema[] | undefined) ?? [])]
  const fitting = options.flatMap((option) => [
    ...(Array.isArray(option.enum) ? [fc.constantFrom(...(option.enum as string[]))] : []),
    ...(option.const === undefined ? [] : [fc.constant(String(option.const))]),
    ...(option.type === 'integer' ? [fc.integer({ min: -1, max: 300 }).map(String), fc.maxSafeNat().map(String)] : []),
    ...(typeof option.pattern === 'string' ? [fc.stringMatching(new RegExp(option.pattern))] : []),
  ])
  if (name === 'community') fitting.push(fc.constant('demo'))
  if (name === 'address')
    fitting.push(
      fc.nat(420).map(addressOf),
      fc.nat(420).map((index) => getAddress(addressOf(index))),
    )
  if (name === 'cursor')
    fitting.push(
      fc.tuple(fc.nat(500), fc.nat(3)).map(([block, logIndex]) => `${block}-${logIndex}`),
      fc
        .tuple(
          fc.constantFrom('joined.asc.1', 'joined.asc.all', 'team.desc.1', 'volume.desc.2', 'referrers'),
          fc.array(fc.bigInt({ min: 0n, max: 2n ** 256n }), { maxLength: 3 }),
        )
        .map(([query, key]) => Buffer.from([query, ...key].join(':')).toString('base64url')),
    )
  if (fitting.length === 0) return anything
  return fc.oneof({ weight: 6, arbitrary: fc.oneof(...fitting) }, { weight: 1, arbitrary: anything })
}

const bodies = fc.oneof(
  {
    weight: 4,
    arbitrary: fc
      .record({
        addresses: fc.array(valuesOf({ name: 'address', in: 'path', required: true, schema: {} }), { maxLength: 20 }),
      })
      .map((body) => JSON.stringify(body)),
  },
  { weight: 2, arbitrary: fc.json() },
  { weight: 1, arbitrary: fc.string({ unit: 'binary' }) },
  {
    weight: 1,
    arbitrary: fc.constantFrom(
      '',
      '{',
      `{"addresses":["${'x'.repeat(70_000)}"]}`,
      `{"addresses":[${'"",'.repeat(500)}""]}`,
      '['.repeat(60_000),
    ),
  },
)
const types = fc.oneof(
  { weight: 8, arbitrary: fc.constantFrom('application/json', 'Application/JSON;charset=utf-8') },
  { weight: 1, arbitrary: fc.constantFrom('text/plain', 'application/jsonp', '', 'application/json, text/html') },
)
const requests = fc.constantFrom(...lookups).chain((operation) =>
  fc.record({
    operation: fc.constant(operation),
    values: fc.record(
      Object.fromEntries(operation.parameters.map((parameter) => [parameter.name, valuesOf(parameter)])),
      { requiredKeys: operation.parameters.filter((parameter) => parameter.in === 'path').map(({ name }) => name) },
    ) as fc.Arbitrary<Record<string, string>>,
    body: bodies,
    type: types,
    tag: fc.constantFrom(undefined, '*', 'W/"1"', '"', ','),
  }),
)

test('property: whatever an operation is asked with, its answer is one the document names, and never a 500', async () => {
  const seen = new Set<string>()
  await fc.assert(
    fc.asyncProperty(requests, async ({ operation, values, body, type, tag }) => {
      const search = new URLSearchParams(
        operation.parameters.flatMap(({ name, in: place }): [string, string][] =>
          place === 'query' && values[name] !== undefined ? [[name, values[name]]] : [],
        ),
      )
      // What would be another path is another operation's business.
      const inPath = operation.parameters
        .filter((parameter) => parameter.in === 'path')
        .map(({ name }) => values[name] ?? '')
      fc.pre(inPath.every((text) => text !== '' && text !== '.' && text !== '..' && text !== 'batch'))
      const response = await api.request(`/v1${fill(operation.path, values)}?${search}`, {
        method: operation.method,
        headers: { ...(operation.requestBody && { 'content-type': type }), ...(tag && { 'if-none-match': tag }) },
        ...(operation.requestBody && { body }),
      })
      seen.add(`${operation.operationId} ${await expectOfContract(operation, response)}`)
    }),
    { numRuns: Number(process.env.API_RUNS ?? 1_200) },
  )
  expect(logged).toEqual([])
  // The questions are not all nonsense.
  for (const { operationId } of lookups) expect([...seen]).toContain(`${operationId} 200`)
})

test('property: methods and paths that are none are problems, with what is allowed', async () => {
  const methods = fc.constantFrom('GET', 'HEAD', 'POST', 'PUT', 'DELETE', 'PATCH', 'OPTIONS', 'PROPFIND')
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...lookups), methods, async ({ path, method: own, operationId }, method) => {
      fc.pre(method !== own && !(own === 'GET' && method === 'HEAD'))
      const response = await api.request(`/v1${fill(path, example)}`, { method })
      expect([response.status, response.headers.get('allow')], operationId).toEqual([
        405,
        own === 'GET' ? 'GET, HEAD' : own,
      ])
      if (method !== 'HEAD') expect(await response.json()).toMatchObject({ code: 'method_not_allowed', status: 405 })
    }),
    { numRuns: 100 },
  )
})
