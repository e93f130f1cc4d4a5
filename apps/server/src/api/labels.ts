import type { Address, Label } from '@lineage/referral-api'
import { labelLimit, toLabelsCsv } from '@lineage/referral-api/labels'
import { labelContent, labels as labelsSchema } from '@lineage/referral-api/schemas'
import { getAddress, isAddress } from 'viem'
import type { TakeTurns } from '../accounts/createTurns.ts'
import { LabelLimitError, type LabelStore } from '../accounts/labelStore.ts'
import { invalidAddress, problem, tooManyWrites } from '../lib/problem.ts'
import type { AccountRequest, ForAccount } from './forAccount.ts'
import { readBody } from './readBody.ts'

/** Largest body, in bytes: fits an account's largest list of the longest labels. */
const bodyLimit = 1024 * 1024
const invalid = 'invalid_label'

export type LabelsParameters = {
  forAccount: ForAccount
  store: LabelStore
  takeTurns: TakeTurns
}

/** Cost of each label for the visitor's limit, in addition to the request. */
export type LabelCosts = {
  /** Charges labels before they are written. Returns a response if there are too many. */
  limit: (labels: number) => Response | undefined
  /** Charges labels that were read. */
  charge: (labels: number) => void
}

type LabelRequest = AccountRequest & { store: LabelStore; costs: LabelCosts }
type LabelHandler = (request: LabelRequest) => Promise<Response>

/** Creates the handlers of `/v1/labels`. */
export function createLabels({ forAccount, store, takeTurns }: LabelsParameters) {
  const answer = (request: Request, costs: LabelCosts, handler: LabelHandler): Promise<Response> =>
    forAccount(request, (accountRequest) => handler({ ...accountRequest, store, costs }).catch(answerLimit))
  const all = (handler: LabelHandler) => (request: Request, costs: LabelCosts) => answer(request, costs, handler)
  const one =
    (handler: (address: Address, request: LabelRequest) => Promise<Response>) =>
    (request: Request, costs: LabelCosts, address: string) =>
      answer(request, costs, async (labelRequest) =>
        isAddress(address, { strict: false }) ? handler(getAddress(address), labelRequest) : invalidAddress(),
      )
  /** Runs the writes of an account one after the other, before their bodies are read. */
  const inTurn =
    (handler: LabelHandler): LabelHandler =>
    async (labelRequest) =>
      (await takeTurns(labelRequest.account, () => handler(labelRequest))) ?? tooManyWrites()

  return {
    list: all(list),
    exportCsv: all(exportCsv),
    merge: all(inTurn(merge)),
    removeAll: all(inTurn(removeAll)),
    find: one(find),
    save: one((address, labelRequest) => inTurn((inner) => save(address, inner))(labelRequest)),
    remove: one((address, labelRequest) => inTurn((inner) => remove(address, inner))(labelRequest)),
  }
}

async function list(labelRequest: LabelRequest): Promise<Response> {
  return Response.json({ items: await readAll(labelRequest) })
}

async function readAll({ account, store, costs }: LabelRequest): Promise<Label[]> {
  const labels = await store.list(account)
  costs.charge(labels.length)
  return labels
}

async function exportCsv(labelRequest: LabelRequest): Promise<Response> {
  const headers = {
    'content-type': 'text/csv; charset=utf-8',
    'content-disposition': 'attachment; filename="lineage-labels.csv"',
  }
  return new Response(toLabelsCsv(await readAll(labelRequest)), { headers })
}

async function merge(labelRequest: LabelRequest): Promise<Response> {
  const { account, store, costs } = labelRequest
  const refuse = (json: unknown) => {
    const { items } = Object(json) as { items?: unknown }
    if (!Array.isArray(items)) return undefined
    return items.length > labelLimit ? tooManyLabels() : costs.limit(items.length)
  }
  const body = await readBody(labelRequest, { schema: labelsSchema, invalid, limit: bodyLimit, refuse })
  if (body instanceof Response) return body
  const labels = (body.items as Label[]).filter(({ text, watched }) => text !== '' || watched)
  await store.merge(account, newestOf(labels, nowInSeconds()))
  return list(labelRequest)
}

async function removeAll({ account, store }: LabelRequest): Promise<Response> {
  await store.removeAll(account)
  return new Response(null, { status: 204 })
}

async function find(address: Address, { account, store }: LabelRequest): Promise<Response> {
  const label = await store.find(account, address)
  return label ? Response.json(label) : problem('label_not_found', { detail: 'You have no label for this address.' })
}

async function save(address: Address, labelRequest: LabelRequest): Promise<Response> {
  const { account, store } = labelRequest
  const body = await readBody(labelRequest, { schema: labelContent, invalid, limit: bodyLimit })
  if (body instanceof Response) return body
  const label: Label = { address, ...body, updatedAt: nowInSeconds() }
  await store.save(account, label)
  return Response.json(label)
}

async function remove(address: Address, { account, store }: LabelRequest): Promise<Response> {
  await store.remove(account, address)
  return new Response(null, { status: 204 })
}

/**
 * Keeps the newest label of each address. A time in the future counts as now, so that such a label does not always
 * win.
 */
function newestOf(labels: readonly Label[], now: number): Label[] {
  const newest = new Map<Address, Label>()
  for (const label of labels) {
    const address = getAddress(label.address)
    const updatedAt = Math.min(label.updatedAt, now)
    if (updatedAt >= (newest.get(address)?.updatedAt ?? 0)) newest.set(address, { ...label, address, updatedAt })
  }
  return [...newest.values()]
}

const nowInSeconds = () => Math.floor(Date.now() / 1_000)

function answerLimit(error: unknown): Response {
  if (error instanceof LabelLimitError) return tooManyLabels()
  throw error
}

const tooManyLabels = () =>
  problem('too_many_labels', {
    detail: `An account can have ${labelLimit} labels. Nothing was changed. Delete some labels first.`,
  })
