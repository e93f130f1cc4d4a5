import type { Address, Label } from '@lineage/referral-api'
import { createContext, use, useSyncExternalStore } from 'react'
import { createStore, type StoreApi } from 'zustand/vanilla'

/** State of the labels on the page. The first load has only this store; `Labels.tsx` loads later and fills it. */
export type LabelsState = {
  labels: ReadonlyMap<Address, Label>
  place: 'browser' | 'account'
  /** `failed`: the last load failed; labels of an earlier load stay. */
  status: 'loading' | 'ready' | 'failed'
  /** Number of labels in this browser while those of the account are shown. */
  unmoved: number
  dialog: { name: 'closed' | 'offer' | 'clear' } | { name: 'edit'; address: Address }
  /** `undefined` until `Labels.tsx` is loaded. */
  actions?: LabelActions
}

/** Result of a change. A failure was reported, unless the account has changed meanwhile. */
export type Outcome = 'saved' | 'failed'

export type LabelActions = {
  /** Saves a label. Deletes one without text that is not watched. */
  save: (address: Address, content: Pick<Label, 'text' | 'watched'>) => Promise<Outcome>
  removeAll: () => Promise<Outcome>
  reload: () => Promise<void>
  moveToAccount: () => Promise<void>
  /** Keeps the labels in this browser. The offer appears again once they change. */
  declineMove: () => void
  openDialog: (dialog: Exclude<LabelsState['dialog'], { name: 'closed' }>) => void
  closeDialog: () => void
}

export type LabelsStore = StoreApi<LabelsState>

export const createLabelsStore = (): LabelsStore =>
  createStore<LabelsState>(() => ({
    labels: new Map(),
    place: 'browser',
    status: 'loading',
    unmoved: 0,
    dialog: { name: 'closed' },
  }))

export const LabelsContext = createContext<LabelsStore>(createLabelsStore())

export function useLabels<selected>(select: (state: LabelsState) => selected): selected {
  const store = use(LabelsContext)
  const read = () => select(store.getState())
  return useSyncExternalStore(store.subscribe, read, read)
}

/** Returns the user's label of an address. */
export const useLabel = (address: Address): Label | undefined => useLabels(({ labels }) => labels.get(address))
