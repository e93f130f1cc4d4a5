import type { Address, Label } from '@lineage/referral-api'
import { labelLimit } from '@lineage/referral-api/labels'
import { labelContent, labels as labelsSchema } from '@lineage/referral-api/schemas'
import { getAddress } from 'viem'
import { LabelLimitError } from '../accounts/labelStore.ts'
import { ProblemError, requireAddress } from '../lib/problem.ts'
import { costs } from '../load/limits.ts'
import { type AccountRequest, done, type ForAccount, readBody } from './forAccount.ts'
import type { Services } from './services.ts'

/** Largest body, in bytes: fits an account's largest list of the longest labels. */
const bodyLimit = 1024 * 1024
const invalid = 'invalid_label'

/** Returns the handlers of `/v1/labels`, by operation. */
export function createLabelHandlers(
  { read, change }: ForAccount,
  { accounts: { labels: store }, limits }: Pick<Services, 'accounts' | 'limits'>,
) {
  async function list({ account, c }: AccountRequest): Promise<Response> {
    const items = await store.list(account)
    limits.labels.charge(c.var.visitor, costs.labels(items.length, 'read'))
    return c.json({ items })
  }

  async function merge(accountRequest: AccountRequest): Promise<Response> {
    const { account, c } = accountRequest
    const check = (json: unknown) => {
      const { items } = Object(json) as { items?: unknown }
      if (!Array.isArray(items)) return
      if (items.length > labelLimit) throw tooManyLabels()
      limits.require('labels', c.var.visitor, costs.labels(items.length, 'written'))
    }
    const body = await readBody(accountRequest, { schema: labelsSchema, invalid, limit: bodyLimit, check })
    const labels = (body.items as Label[]).filter(({ text, watched }) => text !== '' || watched)
    await store.merge(account, newestOf(labels, nowInSeconds())).catch(answerLimit)
    return list(accountRequest)
  }

  async function save(accountRequest: AccountRequest): Promise<Response> {
    const { account, c } = accountRequest
    const address = readAddress(accountRequest)
    const body = await readBody(accountRequest, { schema: labelContent, invalid, limit: bodyLimit })
    const label: Label = { address, ...body, updatedAt: nowInSeconds() }
    await store.save(account, label).catch(answerLimit)
    return c.json(label)
  }

  return {
    labels: read(list),
    mergeLabels: change(merge),
    removeLabels: change(async ({ account }) => {
      await store.removeAll(account)
      return done()
    }),
    saveLabel: change(save),
    removeLabel: change(async (accountRequest) => {
      await store.remove(accountRequest.account, readAddress(accountRequest))
      return done()
    }),
  }
}

const readAddress = ({ c }: AccountRequest): Address => requireAddress(c.req.param('address') ?? '')

/** Keeps the newest label of each address. A time in the future counts as now, or such a label would always win. */
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

function answerLimit(error: unknown): never {
  throw error instanceof LabelLimitError ? tooManyLabels() : error
}

const tooManyLabels = () =>
  new ProblemError(
    'too_many_labels',
    `An account can have ${labelLimit} labels. Nothing was changed. Delete some labels first.`,
  )
