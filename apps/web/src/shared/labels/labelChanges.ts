import type { Address, Label } from '@lineage/referral-api'
import { cleanLabelText } from '@lineage/referral-api/labels'

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
