import type { Address, Label } from '@lineage/referral-api'
import { labelLimit, toLabelsCsv } from '@lineage/referral-api/labels'
import { labelContent, labels as labelsSchema } from '@lineage/referral-api/schemas'
import type { SiweServer } from '@lineage/wallet-kit/siwe-server'
import { getAddress, isAddress } from 'viem'
import { LabelLimitError, type LabelStore } from './accounts/keepLabels.ts'
import { readBody } from './body.ts'
import { problem } from './problem.ts'

/** All the labels there may be, each as long as it may be, fit in it. */
const bodyLimit = 1024 * 1024

export type LabelsParameters = {
  auth: Pick<SiweServer, 'getSession' | 'refuseOtherSites'>
  store: LabelStore
}

/**
 * The signed-in account's labels, under `/v1/labels`. Whose they are is the session's to say, never the request's: there
 * is no way to name another account.
 */
export function createLabels({ auth, store }: LabelsParameters) {
  /** `path`: what stands behind `/v1/labels`, such as `/0x…`. */
  async function answer(path: string, request: Request): Promise<Response> {
    const refusal = auth.refuseOtherSites(request)
    if (refusal) return refusal
    const account = (await auth.getSession(request))?.address
    if (!account) return problem('unauthenticated', { detail: 'Sign in with a wallet: labels are kept for accounts.' })
    const method = request.method === 'HEAD' ? 'GET' : request.method
    if (path === '.csv') return method === 'GET' ? sendCsv(await store.list(account)) : notAllowed('GET, HEAD')
    if (path === '') return all(account, method, request)
    const address = path.slice(1)
    if (!isAddress(address, { strict: false }))
      return problem('invalid_address', { detail: 'An address is 0x and 40 characters.' })
    return one(account, getAddress(address), method, request)
  }

  async function all(account: Address, method: string, request: Request): Promise<Response> {
    switch (method) {
      case 'GET':
        return Response.json({ items: await store.list(account) })
      case 'PUT': {
        const body = await readJson(request)
        if (body instanceof Response) return body
        if (Array.isArray(Object(body).items) && Object(body).items.length > labelLimit) return tooMany()
        const parsed = labelsSchema.safeParse(body)
        if (!parsed.success) return invalid(parsed.error.issues[0])
        const items = parsed.data.items.filter(({ text, watched }) => text !== '' || watched)
        await store.merge(account, newestOf(items as Label[]))
        return Response.json({ items: await store.list(account) })
      }
      case 'DELETE':
        await store.removeAll(account)
        return new Response(null, { status: 204 })
      default:
        return notAllowed('GET, HEAD, PUT, DELETE')
    }
  }

  async function one(account: Address, address: Address, method: string, request: Request): Promise<Response> {
    switch (method) {
      case 'GET': {
        const label = await store.find(account, address)
        return label ? Response.json(label) : problem('label_not_found', { detail: 'You have no label for it.' })
      }
      case 'PUT': {
        const body = await readJson(request)
        if (body instanceof Response) return body
        const parsed = labelContent.safeParse(body)
        if (!parsed.success) return invalid(parsed.error.issues[0])
        const label: Label = { address, ...parsed.data, updatedAt: seconds() }
        await store.save(account, label)
        return Response.json(label)
      }
      case 'DELETE':
        await store.remove(account, address)
        return new Response(null, { status: 204 })
      default:
        return notAllowed('GET, HEAD, PUT, DELETE')
    }
  }

  return {
    answer: async (path: string, request: Request): Promise<Response> => {
      const response = await answer(path, request).catch((error: unknown) => {
        if (error instanceof LabelLimitError) return tooMany()
        if (request.signal.aborted) throw error
        console.error(error)
        return problem('unavailable', { detail: 'Labels cannot be reached at the moment. Try again.', retryAfter: 5 })
      })
      response.headers.set('cache-control', 'no-store, private')
      response.headers.append('vary', 'cookie')
      return response
    },
  }
}

const seconds = () => Math.floor(Date.now() / 1_000)

/** The newest of those for one address, whose clock may not be ahead of ours: else it would win for ever. */
function newestOf(labels: readonly Label[]): Label[] {
  const now = seconds()
  const newest = new Map<Address, Label>()
  for (const label of labels) {
    const address = getAddress(label.address)
    const updatedAt = Math.min(label.updatedAt, now)
    if (updatedAt >= (newest.get(address)?.updatedAt ?? 0)) newest.set(address, { ...label, address, updatedAt })
  }
  return [...newest.values()]
}

async function readJson(request: Request): Promise<unknown> {
  if (!/^application\/json\s*(;|$)/i.test(request.headers.get('content-type') ?? ''))
    return problem('unsupported_media_type', { detail: 'Send application/json.' })
  const body = await readBody(request, bodyLimit)
  if (body === 'too_large') return problem('payload_too_large', { detail: 'A request may hold 1 MB.' })
  try {
    return JSON.parse(new TextDecoder().decode(body))
  } catch {
    return problem('invalid_label', { detail: 'The body is not JSON.' })
  }
}

function sendCsv(labels: readonly Label[]): Response {
  const headers = {
    'content-type': 'text/csv; charset=utf-8',
    'content-disposition': 'attachment; filename="lineage-labels.csv"',
  }
  return new Response(toLabelsCsv(labels), { headers })
}

const invalid = (issue: { path: PropertyKey[]; message: string } | undefined) =>
  problem('invalid_label', { detail: `${issue?.path.join('.') || 'label'}: ${issue?.message}.` })

const tooMany = () =>
  problem('too_many_labels', { detail: `An account keeps ${labelLimit} labels. Delete some; nothing was changed.` })

const notAllowed = (allow: string) => problem('method_not_allowed', { detail: `Only ${allow} here.`, allow })
