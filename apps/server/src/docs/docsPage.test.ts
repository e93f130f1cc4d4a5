import { createHash } from 'node:crypto'
import type { ProblemCode } from '@lineage/referral-api'
import { createOpenApi } from '@lineage/referral-api/openapi'
import { operations } from '@lineage/referral-api/operations'
import { problems, problemType } from '@lineage/referral-api/problems'
import { afterEach, expect, test } from 'vitest'
import { ask, type Served, serve } from '../../test/serve.ts'
import { createDocsPage } from './docsPage.ts'

const open: Served[] = []
afterEach(async () => {
  for (const one of open.splice(0)) await one.close()
})

async function get(target: string) {
  const served = await serve()
  open.push(served)
  const { body, ...answer } = await ask(served.url, target)
  return { ...answer, text: body.toString() }
}

test('behavior: /v1/openapi.json is the OpenAPI document', async () => {
  const { status, headers, text } = await get('/v1/openapi.json')
  expect([status, headers['content-type'], headers['cache-control']]).toEqual([
    200,
    'application/json',
    'public, max-age=300',
  ])
  expect(JSON.parse(text)).toEqual(JSON.parse(JSON.stringify(createOpenApi())))
})

test('behavior: the page has every operation and loads nothing from other hosts', async () => {
  const { status, headers, text } = await get('/v1/docs')
  expect([status, headers['content-type']]).toEqual([200, 'text/html; charset=utf-8'])
  for (const { id } of operations) expect(text).toContain(`<details id="${id}">`)
  expect(text).not.toMatch(/src=|href="(?!openapi)|@import|url\(|__NONCE__/)
})

test('behavior: the type of every problem leads to its explanation', async () => {
  const { text } = await get('/v1/docs')
  for (const code of Object.keys(problems) as ProblemCode[]) {
    const [path, anchor] = problemType(code).split('#')
    expect([path, text.includes(`<div id="${anchor}" class="problem">`)]).toEqual(['/v1/docs', true])
  }
  expect(JSON.parse((await get('/v1/nothing')).text)).toMatchObject({ type: '/v1/docs#not_found' })
})

test('behavior: the policy allows its own script and style by their hashes', async () => {
  const { headers, text } = await get('/v1/docs')
  const [style, script] = [...text.matchAll(/<(?:script|style)>(.*?)<\/(?:script|style)>/gs)].map(
    ([, content = '']) => `'sha256-${createHash('sha256').update(content).digest('base64')}'`,
  )
  expect(headers['content-security-policy']).toBe(
    `default-src 'none'; script-src ${script}; style-src ${style}; connect-src 'self'; ` +
      "base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  )
})

test('behavior: HTML in the document is escaped', () => {
  const evil = '<img src=x onerror=alert(1)>"\''
  const page = createDocsPage({
    info: { title: evil, version: evil, description: evil },
    tags: [{ name: 'a', description: evil }],
    paths: {},
  })
  expect(page).not.toContain('<img')
})
