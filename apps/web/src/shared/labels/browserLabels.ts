import type { Address, Label } from '@lineage/referral-api'
import { cleanLabelText, countCharacters, labelLimit, labelTextLimit } from '@lineage/referral-api/labels'
import { isAddress } from 'viem/utils'
import { readStored } from '../../lib/storage.ts'
import type { LabelMap } from './labelChanges.ts'
import { BrowserLabelsError } from './labelFailure.ts'

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
