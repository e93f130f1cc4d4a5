import type { Address, Label } from '@lineage/referral-api'
import type { LabelsClient } from '@lineage/referral-api/labels-client'
import { readBrowserLabels, writeBrowserLabels } from './browserLabels.ts'
import { applyChanges, type LabelChange, type LabelMap } from './labelChanges.ts'
import type { LabelsState } from './labelsStore.ts'

/** Place where labels are kept. */
export type LabelSource = {
  place: LabelsState['place']
  queryKey: readonly string[]
  list: () => Promise<LabelMap>
  /** Saves a change. Returns the saved label, or `undefined` if it was deleted. */
  save: (change: LabelChange) => Promise<Label | undefined>
  removeAll: () => Promise<unknown>
}

/** A guest's labels, in localStorage. */
export const browserSource: LabelSource = {
  place: 'browser',
  queryKey: ['labels', 'browser'],
  list: async () => readBrowserLabels(),
  async save(change) {
    // Read again: another tab may have written since.
    writeBrowserLabels(applyChanges(readBrowserLabels(), [change]))
    return change.label
  },
  removeAll: async () => writeBrowserLabels(new Map()),
}

/**
 * Creates the source of an account's labels, on the server. `id` is new for each sign-in, so that data of an earlier
 * session is never shown.
 */
export const createAccountSource = (client: LabelsClient, account: Address, id: string): LabelSource => ({
  place: 'account',
  queryKey: ['labels', account, id],
  list: async () => toLabelMap((await client.list()).items),
  save: ({ address, label }) =>
    label ? client.save(address, { text: label.text, watched: label.watched }) : client.remove(address),
  removeAll: client.removeAll,
})

export const toLabelMap = (labels: readonly Label[]): LabelMap => new Map(labels.map((label) => [label.address, label]))

/**
 * Returns query options that reload the labels when the user returns to the tab after 30 s, because labels may have
 * changed on another device.
 */
export const labelsQuery = ({ queryKey, list }: LabelSource) => ({
  queryKey,
  queryFn: list,
  staleTime: 30_000,
  // Remove an account's labels from memory with the account.
  gcTime: 0,
  retry: false,
  refetchInterval: false as const,
})
