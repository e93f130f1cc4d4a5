import { Validator } from '@seriousme/openapi-schema-validator'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { expect, test } from 'vitest'
import { createOpenApi } from './openapi.ts'
import { findOperation, methodsOf, operations } from './operations.ts'

type Content = Record<string, { schema?: object; example?: unknown; examples?: Record<string, { value: object }> }>
type Documented = { requestBody?: { content: Content }; responses: Record<string, { content?: Content }> }

const document = createOpenApi() as {
  paths: Record<string, Record<string, Documented>>
  components: { schemas: Record<string, object> }
}

test('behavior: the document is valid OpenAPI 3.1', async () => {
  const validator = new Validator()
  const { valid, errors } = await validator.validate(structuredClone(document))
  expect(errors).toBeUndefined()
  expect([valid, validator.version]).toEqual([true, '3.1'])
})

test('error: the validator rejects an invalid document', async () => {
  const wrong = structuredClone(document) as Record<string, unknown>
  delete wrong.info
  expect((await new Validator().validate(wrong)).valid).toBe(false)
})

test('behavior: every schema compiles, and every reference resolves', () => {
  const ajv = new Ajv2020({ strict: true, allowUnionTypes: true, formats: { date: true } })
  ajv.addVocabulary(['components'])
  for (const name of Object.keys(document.components.schemas))
    expect(() => ajv.compile({ components: document.components, $ref: `#/components/schemas/${name}` })).not.toThrow()
})

test('behavior: every request body and response has examples that its schema accepts', () => {
  const ajv = new Ajv2020({ strict: false, formats: { date: true } })
  // Compiled once, because all operations have the same problems.
  const validators = new Map<string, ReturnType<typeof ajv.compile>>()
  const validatorOf = (schema: object) => {
    const key = JSON.stringify(schema)
    const validate = validators.get(key) ?? ajv.compile({ components: document.components, ...schema })
    validators.set(key, validate)
    return validate
  }
  for (const { method, path, id } of operations) {
    const { requestBody, responses = {} } = document.paths[path]?.[method] ?? {}
    for (const content of [requestBody?.content, ...Object.values(responses).map((response) => response.content)])
      for (const [type, { schema, example, examples }] of Object.entries(content ?? {})) {
        if (['openapi', 'docs'].includes(id) && type !== 'application/problem+json') continue
        if (type === 'application/vnd.apache.parquet') continue
        const values = examples ? Object.values(examples).map(({ value }) => value) : [example]
        for (const value of values) {
          expect(value, `${id} ${type}`).toBeDefined()
          if (!schema) continue
          const validate = validatorOf(schema)
          expect(validate(value) || validate.errors, `${id} ${JSON.stringify(value)}`).toBe(true)
        }
      }
  }
})

test('behavior: operation ids are unique, and each lists its problems', () => {
  const ids = operations.map(({ id }) => id)
  expect(new Set(ids).size).toBe(ids.length)
  const responses = document.paths['/communities/{community}/members/{address}/referrals']?.get?.responses
  expect(Object.keys(responses ?? {})).toEqual(['200', '304', '400', '404', '409', '422', '429', '500', '503'])
})

test.each([
  ['/communities', 'GET, HEAD'],
  ['/communities/demo/members/batch', 'POST'],
  ['/communities/demo/members/0xab', 'GET, HEAD'],
  ['/communities/demo/members/0xab/referrals.csv', 'GET, HEAD'],
  ['/labels', 'GET, HEAD, PUT, DELETE'],
  ['/labels.csv', undefined],
  ['/labels/0xab', 'PUT, DELETE'],
  ['/rpc', 'POST'],
  ['/resolve-ens', 'GET, HEAD'],
  ['/communities/demo', undefined],
  ['/communities/demo/members/0xab/referralsxcsv', undefined],
  ['/communities/', undefined],
  ['/', undefined],
  ['', undefined],
])('methodsOf: %s allows %s', (path, methods) => {
  expect(methodsOf(path)).toBe(methods)
})

test.each([
  ['GET', '/communities/demo/members/0x1/referrals.csv', 'referralsCsv'],
  ['HEAD', '/labels', 'labels'],
  ['POST', '/communities/demo/members/batch', 'batch'],
  ['PUT', '/labels/0x1', 'saveLabel'],
  ['PUT', '/communities', undefined],
  ['GET', '/communities/', undefined],
  ['GET', '/communities/demo/members/0x1/referrals-csv', undefined],
])('findOperation: %s %s is %s', (method, path, id) => {
  expect(findOperation(method, path)?.id).toBe(id)
})
