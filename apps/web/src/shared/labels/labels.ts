import type { Address, Label } from '@lineage/referral-api'
import { createContext, use, useSyncExternalStore } from 'react'
import { createStore, type StoreApi } from 'zustand/vanilla'

/** What the page knows of a person's labels. It is all a first load has of them; what keeps them comes after. */
export type LabelsState = {
  shown: ReadonlyMap<Address, Label>
  place: 'browser' | 'account'
  status: 'loading' | 'ready' | 'failed'
  /** How many are in the browser while those of the account are shown. */
  waiting: number
  /** What the person is asked. */
  task: { name: 'none' | 'offer' | 'clear' } | { name: 'edit'; address: Address }
  /** Once what keeps them is loaded. */
  actions?: LabelActions
}

export type LabelActions = {
  /** Shown at once; taken back when it cannot be kept. Neither a text nor watched: there is no label any more. */
  save: (address: Address, content: Pick<Label, 'text' | 'watched'>) => Promise<void>
  removeAll: () => Promise<void>
  reload: () => Promise<void>
  /** From this browser to the account. */
  move: () => Promise<void>
  /** Those of this browser stay there, and nobody asks again until they change. */
  leave: () => void
  ask: (task: LabelsState['task']) => void
}

export type LabelsStore = StoreApi<LabelsState>

export const createLabels = (): LabelsStore =>
  createStore<LabelsState>(() => ({
    shown: new Map(),
    place: 'browser',
    status: 'loading',
    waiting: 0,
    task: { name: 'none' },
  }))

export const LabelsContext = createContext<LabelsStore>(createLabels())

export function useLabels<selected>(select: (state: LabelsState) => selected): selected {
  const store = use(LabelsContext)
  const read = () => select(store.getState())
  return useSyncExternalStore(store.subscribe, read, read)
}

/** The person's own label of an address. */
export const useLabel = (address: Address): Label | undefined => useLabels(({ shown }) => shown.get(address))
