import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import * as fc from 'fast-check'
import { createOpenApi } from '../src/openapi.ts'

type Schema = Record<string, unknown>
type Media = Record<string, { schema?: Schema }>

/** A parameter in the OpenAPI document. */
export type Parameter = { name: string; in: 'path' | 'query' | 'header'; required: boolean; schema: Schema }

/** An operation in the OpenAPI document. */
export type DocumentedOperation = {
  operationId: string
  tags: string[]
  method: string
  path: string
  parameters: Parameter[]
  requestBody?: { content: Media }
  responses: Record<string, { content?: Media }>
}

type Document = {
  paths: Record<string, { parameters: Parameter[] } & Record<string, DocumentedOperation>>
  components: { schemas: Record<string, Schema> }
}

/** A response to check. */
export type ReceivedResponse = { status: number; type: string | null; text: string }

/**
 * Reads the OpenAPI document to check real responses against it.
 *
 * @example
 * const { operations, faultOf } = readContract()
 * faultOf(operations[0], { status: 200, type: 'application/json', text: '{}' }) // 'communities 200: …'
 */
export function readContract() {
  const document = createOpenApi() as Document
  const ajv = new Ajv2020({ strict: false, formats: { date: true } })
  const components = closed(document.components)
  const validators = new Map<string, ValidateFunction>()

  function validatorOf(name: string, schema: Schema): ValidateFunction {
    const validate = validators.get(name) ?? ajv.compile({ components, ...(closed(schema) as object) })
    validators.set(name, validate)
    return validate
  }

  return {
    operations: Object.entries(document.paths).flatMap(([path, { parameters, ...methods }]) =>
      Object.entries(methods).map(
        ([method, operation]): DocumentedOperation => ({
          ...operation,
          method: method.toUpperCase(),
          path,
          parameters: [...parameters, ...operation.parameters],
        }),
      ),
    ),
    /** Describes how a response differs from the document. Returns `undefined` if it does not. */
    faultOf(operation: DocumentedOperation, { status, type, text }: ReceivedResponse): string | undefined {
      const name = `${operation.operationId} ${status}`
      const said = `${name}: ${text.slice(0, 300)}`
      if (status === 500) return said
      const response = operation.responses[status]
      if (!response) return `undocumented status: ${said}`
      const { content } = response
      if (!content) return text === '' ? undefined : `unexpected body: ${said}`
      const media = content[(type ?? '').split(';')[0] ?? '']
      if (!media) return `wrong content type ${type}: ${said}`
      if (!media.schema) return undefined
      const validate = validatorOf(name, media.schema)
      return validate(JSON.parse(text)) ? undefined : `${ajv.errorsText(validate.errors)}: ${said}`
    },
  }
}

/** Fills the parameters of a path by name, percent-encoded. */
export function fillPath(path: string, values: Record<string, string>): string {
  return path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(values[name] ?? ''))
}

/** A request for fuzzing; `target` is below `/v1`. */
export type FuzzedRequest = { operation: DocumentedOperation; target: string; type: string; body: string | undefined }

/**
 * Generates requests from the document: mostly valid ones, some almost valid, some arbitrary.
 *
 * @param known Values that exist, by the name of their parameter.
 * @param bodiesOf Valid bodies, by the id of their operation.
 */
export function requestsOf(
  operations: readonly DocumentedOperation[],
  known: Record<string, fc.Arbitrary<string>>,
  bodiesOf: Record<string, fc.Arbitrary<unknown>>,
): fc.Arbitrary<FuzzedRequest> {
  return fc
    .constantFrom(...operations)
    .chain((operation) => {
      const inQuery = operation.parameters.filter((parameter) => parameter.in === 'query')
      const required = inQuery.filter((parameter) => parameter.required)
      // Only a few parameters at a time: with many, one is nearly always invalid.
      const some = (of: readonly Parameter[]) => fc.subarray([...of], { maxLength: Math.min(4, of.length) })
      const optional = some(inQuery.filter((parameter) => !parameter.required))
      return fc.record({
        operation: fc.constant(operation),
        asked: fc.oneof(
          { weight: 6, arbitrary: optional.map((chosen) => [...required, ...chosen]) },
          { weight: 1, arbitrary: some(inQuery) },
        ),
        values: fc.record(
          Object.fromEntries(
            operation.parameters.map((parameter) => [parameter.name, valuesOf(parameter, known[parameter.name])]),
          ),
        ) as fc.Arbitrary<Record<string, string>>,
        type: types,
        body: operation.requestBody ? toBodies(bodiesOf[operation.operationId]) : fc.constant(undefined),
      })
    })
    .filter(({ operation, values }) =>
      // These values would match the path of another operation.
      operation.parameters.every(
        (parameter) => parameter.in !== 'path' || !['', '.', '..', 'batch', undefined].includes(values[parameter.name]),
      ),
    )
    .map(({ operation, values, asked, ...rest }) => {
      const query = asked.map(({ name }): [string, string] => [name, values[name] ?? ''])
      const search = new URLSearchParams(query).toString()
      return { operation, target: `${fillPath(operation.path, values)}${search && `?${search}`}`, ...rest }
    })
}

const strange = [
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
]
const anything = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 60 }),
  fc.string({ maxLength: 60 }),
  fc.constantFrom(...strange),
)

function valuesOf({ schema }: Parameter, known: fc.Arbitrary<string> | undefined): fc.Arbitrary<string> {
  const fitting = [schema, ...((schema.anyOf as Schema[] | undefined) ?? [])].flatMap((option) => [
    ...(Array.isArray(option.enum) ? [fc.constantFrom(...(option.enum as string[]))] : []),
    ...(option.const === undefined ? [] : [fc.constant(String(option.const))]),
    ...(option.type === 'integer' ? [fc.integer({ min: -1, max: 300 }).map(String), fc.maxSafeNat().map(String)] : []),
    ...(typeof option.pattern === 'string' ? [fc.stringMatching(new RegExp(option.pattern))] : []),
  ])
  if (known) fitting.push(known, known)
  if (fitting.length === 0) return anything
  return fc.oneof({ weight: 6, arbitrary: fc.oneof(...fitting) }, { weight: 1, arbitrary: anything })
}

function toBodies(fitting: fc.Arbitrary<unknown> = fc.constant({})): fc.Arbitrary<string> {
  return fc.oneof(
    { weight: 8, arbitrary: fitting.map((body) => JSON.stringify(body)) },
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
}

const types = fc.oneof(
  { weight: 8, arbitrary: fc.constantFrom('application/json', 'Application/JSON;charset=utf-8') },
  { weight: 1, arbitrary: fc.constantFrom('text/plain', 'application/jsonp', '', 'application/json, text/html') },
)

/** Forbids fields that are not in the document. */
function closed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(closed)
  if (typeof value !== 'object' || value === null) return value
  const copy = Object.fromEntries(Object.entries(value).map(([key, item]) => [key, closed(item)]))
  return copy.properties && copy.type === 'object' && !copy.additionalProperties
    ? { ...copy, additionalProperties: false }
    : copy
}
