import type { ProblemCode } from '@lineage/referral-api'
import { problems } from '@lineage/referral-api/problems'
import { toHtml } from '../site/page.ts'

type Parameter = { name: string; in: string; required: boolean; description: string; schema: Schema; example?: string }
type Schema = { enum?: string[]; default?: unknown; $ref?: string }
type Operation = {
  operationId: string
  tags: string[]
  summary: string
  parameters: Parameter[]
  requestBody?: { content: Content }
  responses: Record<string, { description: string; content?: Content }>
}
type Content = Record<string, { example?: unknown }>
type Document = {
  info: { title: string; version: string; description: string }
  tags: { name: string; description: string }[]
  paths: Record<string, { parameters: Parameter[] } & Record<string, Operation>>
}

/**
 * Returns the HTML of the page that documents the API and tries it out, from its OpenAPI document.
 *
 * Written by hand because Swagger UI and Scalar are megabytes of script that need a policy with `'unsafe-inline'` styles.
 */
export function createDocsPage(openapi: Record<string, unknown>): string {
  const { info, tags, paths } = openapi as Document
  const sections = tags.map(({ name, description }) => {
    const operations = Object.entries(paths).flatMap(([path, { parameters, ...methods }]) =>
      Object.entries(methods)
        .filter(([, operation]) => operation.tags.includes(name))
        .map(([method, operation]) => toArticle(method, path, [...parameters, ...operation.parameters], operation)),
    )
    return `<section><h2>${toHtml(name)}</h2><p class="quiet">${toHtml(description)}</p>${operations.join('')}</section>`
  })
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>${toHtml(info.title)} API</title><style nonce="__NONCE__">${style}</style></head>
<body><header><h1>${toHtml(info.title)} API <small>${toHtml(info.version)}</small></h1>
<p>${toText(info.description)}</p><p><a href="openapi.json">openapi.json</a></p></header>
<main>${sections.join('')}${toProblems()}</main><script nonce="__NONCE__">${script}</script></body></html>`
}

function toArticle(method: string, path: string, parameters: Parameter[], operation: Operation): string {
  const { operationId: id, summary, requestBody, responses } = operation
  const fields = parameters.map((parameter) => toField(id, parameter)).join('')
  const body = requestBody
    ? `<label for="${id}-body">Body</label><textarea id="${id}-body" name="body" rows="6" spellcheck="false">${toExample(requestBody.content)}</textarea>`
    : ''
  const answers = Object.entries(responses)
    .map(([status, { description }]) => `<dt>${status}</dt><dd>${toText(description)}</dd>`)
    .join('')
  const example = toExample(responses[200]?.content)
  return `<details id="${id}"><summary><span class="method ${method}">${method.toUpperCase()}</span>
<code>${toHtml(path).replaceAll('/', '/<wbr>')}</code><span class="what">${toHtml(summary)}</span></summary>
<form data-method="${method.toUpperCase()}" data-path="${toHtml(path)}">${fields}${body}<button>Send</button></form>
<output for="${id}" aria-live="polite"></output>
<dl>${answers}</dl>${example && `<p class="quiet">Example answer</p><pre tabindex="0">${example}</pre>`}</details>`
}

/** Explains each problem, at the place that its `type` leads to. */
function toProblems(): string {
  const entries = Object.entries(problemTexts).map(([code, text]) => {
    const { status, title } = problems[code as keyof typeof problems]
    return `<div id="${code}" class="problem"><h3><code>${code}</code> ${status} ${title}</h3><p>${toText(text)}</p></div>`
  })
  return `<section id="problems"><h2>problems</h2><p class="quiet">${toText(aboutProblems)}</p>${entries.join('')}</section>`
}

const aboutProblems =
  'An error is a problem (RFC 9457) as JSON. Its `type` leads here, and its `code` stays the same: decide by it. `detail` is for people.'

function toExample(content: Content = {}): string {
  const [example] = Object.values(content).map((one) => one.example)
  if (example === undefined) return ''
  return toHtml(typeof example === 'string' ? example : JSON.stringify(example, null, 2))
}

/** Parameters that the page fills in with values from the index. */
const filledIn = ['community', 'address', 'q']

function toField(id: string, { name, in: place, required, description, schema, example }: Parameter): string {
  const attributes = `id="${id}-${name}" name="${name}" data-in="${place}" aria-describedby="${id}-${name}-is"${required ? ' required' : ''}`
  const initial = filledIn.includes(name) ? ` data-fill="${name}"` : ''
  const preset = toHtml(String(schema.default ?? example ?? ''))
  const control = schema.enum
    ? `<select ${attributes}><option value="">${preset}</option>${schema.enum
        .filter((value) => value !== schema.default)
        .map((value) => `<option>${toHtml(value)}</option>`)
        .join('')}</select>`
    : `<input ${attributes}${initial} placeholder="${preset}" autocomplete="off" autocapitalize="off" spellcheck="false">`
  return `<label for="${id}-${name}">${name}${required ? '' : ' <small>optional</small>'}</label>${control}<p class="quiet" id="${id}-${name}-is">${toText(description)}</p>`
}

/** Escapes text and renders `code` as an element. */
const toText = (text: string): string => toHtml(text).replace(/`([^`]+)`/g, '<code>$1</code>')

const style = `
:root{color-scheme:light dark;--ink:#15181d;--paper:#fbfaf7;--line:#15181d1a;--quiet:#15181d99;--jade:#0b7a63;--on:#fff}
@media(prefers-color-scheme:dark){:root{--ink:#e9e6df;--paper:#121417;--line:#e9e6df1f;--quiet:#e9e6dfa6;--jade:#45d0ae;--on:#121417}}
*{box-sizing:border-box}
body{margin:0 auto;max-width:860px;padding:32px 16px 96px;background:var(--paper);color:var(--ink);font:16px/1.55 "PingFang SC","HarmonyOS Sans SC","Noto Sans SC","Microsoft YaHei",system-ui,sans-serif}
h1{font-size:28px;font-weight:600;margin:0}h1 small{font-size:14px;font-weight:400;color:var(--quiet)}
h3{font-size:14px;font-weight:600;margin:0}.problem{padding:12px 0;border-top:1px solid var(--line)}.problem:target{border-left:3px solid var(--jade);padding-left:12px}
h2{font-size:18px;font-weight:600;margin:40px 0 0;text-transform:capitalize}
p{margin:8px 0}.quiet,small,dd{color:var(--quiet);font-size:13px}a{color:var(--jade)}
code,pre,input,select,textarea{font-family:ui-monospace,SFMono-Regular,Menlo,Consolas,monospace}code{font-size:.9em}
details{border-top:1px solid var(--line)}section details:last-child{border-bottom:1px solid var(--line)}
summary{cursor:pointer;display:grid;grid-template-columns:64px 1fr;gap:2px 8px;padding:12px 0;align-items:baseline;list-style:none}
summary::-webkit-details-marker{display:none}summary code{overflow-wrap:anywhere;font-size:14px}
.what{grid-column:2;font-size:13px;color:var(--quiet)}.method{font-size:12px;font-weight:600;letter-spacing:.04em;color:var(--jade)}
form{display:grid;gap:4px;padding:0 0 12px}label{font-size:13px;margin-top:8px}
input,select,textarea{width:100%;min-height:44px;padding:8px 12px;border:1px solid var(--quiet);border-radius:8px;background:transparent;color:inherit;font-size:16px}
button{justify-self:start;min-height:44px;margin-top:12px;padding:0 24px;border:0;border-radius:8px;background:var(--jade);color:var(--on);font:inherit;font-weight:600;cursor:pointer}
:focus-visible{outline:2px solid var(--jade);outline-offset:2px}
output{display:block}pre{max-height:60vh;overflow:auto;margin:0 0 12px;padding:12px;border:1px solid var(--line);border-radius:8px;font-size:13px;white-space:pre-wrap;overflow-wrap:anywhere}
dl{display:grid;grid-template-columns:64px 1fr;gap:4px 8px;margin:0 0 16px;font-size:13px}dt{font-variant-numeric:tabular-nums}dd{margin:0;overflow-wrap:anywhere}
`

/** Script of the page. It shows the first 20,000 characters of an answer, because a CSV may have millions of lines. */
const script = `
const limit = 20000
async function send(form) {
  const output = form.nextElementSibling
  const query = new URLSearchParams()
  let path = form.dataset.path
  for (const field of form.querySelectorAll('[data-in]')) {
    if (field.dataset.in === 'path') path = path.replace('{' + field.name + '}', encodeURIComponent(field.value.trim()))
    else if (field.value !== '') query.set(field.name, field.value)
  }
  const target = '/v1' + path + (String(query) && '?' + query)
  const startedAt = performance.now()
  const show = (text) => { const pre = document.createElement('pre'); pre.textContent = text; pre.tabIndex = 0; output.replaceChildren(pre) }
  const abort = new AbortController()
  try {
    const body = form.elements.body?.value
    const response = await fetch(target, {
      method: form.dataset.method,
      signal: abort.signal,
      ...(body !== undefined && { body, headers: { 'content-type': 'application/json' } }),
    })
    let text = ''
    const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader()
    for (let part; reader && text.length < limit && !(part = await reader.read()).done; ) text += part.value
    const isCut = text.length >= limit
    const time = Math.round(performance.now() - startedAt) + ' ms'
    const head = form.dataset.method + ' ' + target + '\\n' + [response.status, response.statusText, time, response.headers.get('server-timing')].filter(Boolean).join(' · ')
    const isJson = (response.headers.get('content-type') || '').includes('json')
    show(head + '\\n\\n' + (isCut ? text.slice(0, limit) + '\\n…' : isJson && text ? JSON.stringify(JSON.parse(text), null, 2) : text))
  } catch (error) {
    show(form.dataset.method + ' ' + target + '\\n' + error.message)
  } finally {
    abort.abort()
  }
}
document.addEventListener('submit', (event) => { event.preventDefault(); void send(event.target) })
const fill = (name, value) => {
  for (const field of document.querySelectorAll('[data-fill="' + name + '"]')) field.value ||= value
}
const read = (path) => fetch('/v1' + path).then((answer) => answer.json())
read('/communities').then(async ({ items: [{ id }] }) => {
  fill('community', id)
  const { leaders } = await read('/communities/' + id + '/metrics')
  const [{ address }] = leaders.team
  fill('address', address)
  fill('q', address.slice(0, 6))
}).catch(() => undefined)
`

/** Says of each problem why it occurs and what to do, for the page that its `type` leads to. */
const problemTexts: Record<ProblemCode, string> = {
  member_not_found:
    'No valid bind of the community names the address, as a member or as a referrer. Check the address and the community; `/addresses/{address}` says in which communities it is.',
  community_not_found: 'The server has no community with this id. `/communities` lists those that it has.',
  not_found: 'There is no such path. This page lists all of them.',
  invalid_address:
    'An address is 0x and 40 hex digits. In mixed case its checksum must be correct; lower case is not checked.',
  invalid_cursor:
    'A cursor belongs to one list with one order and one filter. Start from the first page, and send the `nextCursor` of each answer unchanged.',
  invalid_parameter:
    'A parameter is unknown, missing, given twice, or has a value that it cannot have. `parameter` names it, and `detail` says what it can be. Unknown parameters are refused, because an answer that ignored them would be wrong.',
  moment_in_future: 'The day has not begun in the newest block. Choose an earlier one.',
  moment_before_start: 'The community had no member by then. Choose a later day or block.',
  moment_uncertain:
    'The block of the bind that names the address is not known exactly, so nothing can be said of its place at that moment. Choose a later moment.',
  block_not_indexed: 'The block is newer than the newest one that is indexed. Choose an earlier one, or wait.',
  events_replaced:
    'Final events before the cursor have changed: logs that a node had left out were added, or the index was read again. Delete what you have from `block` on, and go on with `cursor`, or without one if it is `null`.',
  contradictory_filter: 'No member can match: two filters contradict each other. `detail` says which.',
  too_many_filters: 'The query has more parameters than a list accepts. Remove some.',
  unsupported_order: 'A CSV is in order of joining. Leave `sort` out, and sort the file.',
  too_costly:
    'The answer would keep the server busy for too long. Ask for less: a smaller team, fewer items, or join order.',
  invalid_body: 'The body is not the JSON that this operation takes. `detail` says what it takes.',
  invalid_label: 'A label needs a text or the mark of the watch list, and its text has a maximum length.',
  too_many_labels: 'The account has as many labels as it can have. Remove some first.',
  invalid_watch: 'A watch needs at least one rule that is on.',
  too_many_watches: 'The account watches as many addresses as it can. Remove some first.',
  webhook_not_found: 'The account has no webhook with this id.',
  invalid_webhook: 'The URL cannot be called: it must be public and use https.',
  too_many_webhooks: 'The account has as many webhooks as it can have. Remove one first.',
  feed_not_found: 'The link of the feed has ended. The account can make a new one.',
  unauthenticated: 'This is for signed-in accounts. Sign in with a wallet first.',
  invalid_message: 'The message is not a complete EIP-4361 message. Ask for a new nonce, and sign again.',
  wrong_domain: 'The signed message is for another site. Sign in on this one.',
  wrong_uri: 'The signed message is for another site. Sign in on this one.',
  wrong_chain: 'The signed message names another chain. Switch the wallet to BNB Smart Chain, and sign again.',
  message_expired: 'The signed message has expired. Sign in again.',
  message_not_yet_valid: 'The signed message is not valid yet. Check the clock, and sign in again.',
  invalid_nonce: 'The message has a nonce that this browser did not get. Ask for a new one, and sign again.',
  nonce_expired: 'A nonce is valid for ten minutes. Ask for a new one, and sign again.',
  nonce_used: 'Each nonce signs in once. Ask for a new one, and sign again.',
  invalid_signature: 'The signature is not one of the account in the message. Sign again with that account.',
  invalid_session: 'The session has ended or is not one of this server. Sign in again.',
  cross_site: 'Pages of other sites cannot use accounts, `/v1/rpc` or `/mcp`. They can use the lookups.',
  method_not_allowed: 'The path has other methods: see the header `Allow`.',
  payload_too_large: 'The body is larger than 64 kB. Split it.',
  unsupported_media_type: 'Send JSON, with the header `Content-Type: application/json`.',
  rate_limited:
    'You sent more than your limit, or more at once than the server can answer. Wait for the seconds in `Retry-After`. The headers `RateLimit-Policy` and `RateLimit` of every answer say how much the limit is and what is left of it; a request may cost more than 1.',
  withheld:
    'What was read contradicts the contract, so nothing is served of this community until the operator has corrected its configuration. Waiting does not help.',
  indexing: 'The server is still reading the chain. `progress` says how far it is; try again later.',
  unavailable:
    'The server cannot answer at the moment: it is busy, its database does not respond, or it does not have a block yet that you have seen. Try again after the seconds in `Retry-After`.',
  internal:
    'A fault of the server. Tell the operator the `requestId`, which is in the log of the server too, and try again later.',
}
