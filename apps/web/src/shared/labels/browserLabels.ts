import { type Address, type Label, ReferralApiError } from '@lineage/referral-api'
import { cleanLabelText, countCharacters, labelLimit, labelTextLimit } from '@lineage/referral-api/labels'
import { isAddress } from 'viem/utils'
import { readStored } from '../../lib/storage.ts'
import type { LabelMap } from './labelChanges.ts'

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
