import type { Address, Label } from '@lineage/referral-api'
import { cleanLabelText, countCharacters, labelLimit, labelTextLimit } from '@lineage/referral-api/labels'
import { isAddress } from 'viem/utils'
import { readStored } from '../../lib/storage.ts'

export const storageKey = 'lineage-labels'

/** The labels of a guest, as this browser keeps them; what is none is passed over. */
export function readBrowserLabels(): Map<Address, Label> {
  try {
    const stored: unknown = JSON.parse(readStored(storageKey) ?? '[]')
    const labels = Array.isArray(stored) ? stored.slice(0, labelLimit).flatMap(parse) : []
    return new Map(labels.map((label) => [label.address, label]))
  } catch {
    return new Map()
  }
}

/** Whether the browser keeps them now. */
export function writeBrowserLabels(labels: ReadonlyMap<Address, Label>): boolean {
  try {
    if (labels.size === 0) localStorage.removeItem(storageKey)
    else localStorage.setItem(storageKey, JSON.stringify([...labels.values()]))
    return true
  } catch {
    return false
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
