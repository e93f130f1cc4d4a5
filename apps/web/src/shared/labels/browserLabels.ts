import { type Address, type Label, ReferralApiError } from '@lineage/referral-api'
import { cleanLabelText, countCharacters, labelLimit, labelTextLimit } from '@lineage/referral-api/labels'
import { isAddress } from 'viem/utils'
import { readStored } from '../../lib/storage.ts'

export const storageKey = 'lineage-labels'

/** Returns a guest's labels from localStorage; invalid entries are skipped. */
export function readBrowserLabels(): Map<Address, Label> {
  try {
    const stored: unknown = JSON.parse(readStored(storageKey) ?? '[]')
    const labels = Array.isArray(stored) ? stored.slice(0, labelLimit).flatMap(parse) : []
    return new Map(labels.map((label) => [label.address, label]))
  } catch {
    return new Map()
  }
}

/** Writes a guest's labels. @throws {BrowserLabelsError} when there are too many, or localStorage refuses */
export function writeBrowserLabels(labels: LabelMap): void {
  if (labels.size > labelLimit) throw new BrowserLabelsError('limit')
  try {
    if (labels.size === 0) localStorage.removeItem(storageKey)
    else localStorage.setItem(storageKey, JSON.stringify([...labels.values()]))
  } catch (cause) {
    throw new BrowserLabelsError('storage', { cause })
  }
}

function parse(item: unknown): Label[] {
  const { address, text, watched, updatedAt } = Object(item) as Record<string, unknown>
  if (typeof address !== 'string' || !isAddress(address)) return []
  if (typeof text !== 'string' || typeof watched !== 'boolean') return []
  if (typeof updatedAt !== 'number' || !Number.isSafeInteger(updatedAt) || updatedAt < 0) return []
  const cleaned = cleanLabelText(text)
  if (countCharacters(cleaned) > labelTextLimit || (cleaned === '' && !watched)) return []
  return [{ address, text: cleaned, watched, updatedAt }]
}

/** Reason why a change was not saved. */
export type LabelFailure = 'limit' | 'storage' | 'signedOut' | 'busy' | 'unreachable' | 'failed'

/** Thrown when saving to this browser failed. */
export class BrowserLabelsError extends Error {
  override readonly name = 'BrowserLabelsError'
  readonly failure: Extract<LabelFailure, 'limit' | 'storage'>

  constructor(failure: BrowserLabelsError['failure'], options?: ErrorOptions) {
    super(`The browser did not save the labels (${failure}).`, options)
    this.failure = failure
  }
}

export function toLabelFailure(error: unknown): LabelFailure {
  if (error instanceof BrowserLabelsError) return error.failure
  switch (error instanceof ReferralApiError ? error.code : undefined) {
    case 'too_many_labels':
      return 'limit'
    case 'unauthenticated':
      return 'signedOut'
    case 'rate_limited':
      return 'busy'
    case 'unreachable':
    case 'unavailable':
      return 'unreachable'
    default:
      return 'failed'
  }
}

export type LabelMap = ReadonlyMap<Address, Label>

/** A saved label, or a deleted one. */
export type LabelChange = { address: Address; label: Label | undefined }

/** Returns the change that saves this content. A label without text that is not watched is deleted. */
export function toChange(address: Address, { text, watched }: Pick<Label, 'text' | 'watched'>): LabelChange {
  const cleaned = cleanLabelText(text)
  const updatedAt = Math.floor(Date.now() / 1_000)
  return { address, label: cleaned || watched ? { address, text: cleaned, watched, updatedAt } : undefined }
}

/** Returns the labels with changes applied in order, newest first. */
export function applyChanges(labels: LabelMap, changes: readonly LabelChange[]): LabelMap {
  const next = new Map(labels)
  for (const { address, label } of changes) {
    next.delete(address)
    if (label) next.set(address, label)
  }
  return new Map([...next].sort(([, a], [, b]) => b.updatedAt - a.updatedAt))
}

/** Returns the labels that were not moved to the account, or were edited since. */
export const withoutMoved = (labels: LabelMap, moved: readonly Label[]): LabelMap => {
  const left = new Map(labels)
  for (const { address, updatedAt } of moved) if (left.get(address)?.updatedAt === updatedAt) left.delete(address)
  return left
}

/** Returns the key of an offer to move these labels to the account. Another account or a changed label has another key. */
export const offerKey = (account: Address, labels: LabelMap): string =>
  `${account} ${labels.size} ${Math.max(0, ...[...labels.values()].map(({ updatedAt }) => updatedAt))}`

export const toLabelMap = (labels: readonly Label[]): LabelMap => new Map(labels.map((label) => [label.address, label]))
