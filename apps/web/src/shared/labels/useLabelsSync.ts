import type { Address } from '@lineage/referral-api'
import type { LabelsClient } from '@lineage/referral-api/labels-client'
import { useMutationState, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useId, useLayoutEffect, useMemo } from 'react'
import { readStored } from '../../lib/storage.ts'
import { readBrowserLabels, storageKey } from './browserLabels.ts'
import { applyChanges, type LabelChange, type LabelMap, offerKey } from './labelChanges.ts'
import { browserSource, createAccountSource, labelsQuery } from './labelSources.ts'
import type { LabelsStore } from './labelsStore.ts'
import { declinedKey, useLabelActions } from './useLabelActions.ts'
import type { LabelNews } from './useLabelMutation.ts'

export type LabelsSyncParameters = {
  store: LabelsStore
  client: LabelsClient
  /** The signed-in account, `undefined` for a guest. The component mounts anew for each account. */
  account: Address | undefined
  onNews: (news: LabelNews) => void
}

const none: LabelMap = new Map()

/** Fills the store with the labels of an account or of a guest, including changes that are being saved. */
export function useLabelsSync({ store, client, account, onNews }: LabelsSyncParameters): void {
  const id = useId()
  const source = useMemo(
    () => (account ? createAccountSource(client, account, id) : browserSource),
    [client, account, id],
  )
  const actions = useLabelActions({ store, client, account, source, onNews })
  const { data: saved, isError, isFetching } = useQuery(labelsQuery(source))
  const pending = useMutationState({
    filters: { mutationKey: [...source.queryKey, 'save'], status: 'pending' },
    select: ({ state }) => state.variables as LabelChange,
  })
  const labels = useMemo(() => applyChanges(saved ?? none, pending), [saved, pending])
  const status = isError && !isFetching ? 'failed' : saved ? 'ready' : 'loading'
  const browserCount = useBrowserCount()
  const unmoved = account ? browserCount : 0

  useLayoutEffect(
    () => store.setState({ labels, place: source.place, status, unmoved, actions }),
    [store, labels, source, status, unmoved, actions],
  )
  useLayoutEffect(() => () => store.setState({ labels: none, dialog: { name: 'closed' } }), [store])
  useMoveOffer(store, saved && account, unmoved)
}

/** Returns the number of labels in this browser, also when another tab changes them. */
function useBrowserCount(): number {
  const queryClient = useQueryClient()
  useEffect(() => {
    const onStorage = ({ key }: StorageEvent) => {
      // `null`: all keys were removed.
      if (key === storageKey || key === null) void queryClient.invalidateQueries({ queryKey: browserSource.queryKey })
    }
    window.addEventListener('storage', onStorage)
    return () => window.removeEventListener('storage', onStorage)
  }, [queryClient])
  return useQuery(labelsQuery(browserSource)).data?.size ?? 0
}

/**
 * Offers to move the browser's labels to the account, unless the same offer was declined. `account` is `undefined` until
 * its labels are loaded.
 */
function useMoveOffer(store: LabelsStore, account: Address | undefined, unmoved: number): void {
  useEffect(() => {
    const inBrowser = readBrowserLabels()
    // Only the visible tab makes the offer.
    if (!account || inBrowser.size === 0 || document.visibilityState !== 'visible') return
    if (readStored(declinedKey) !== offerKey(account, inBrowser)) store.setState({ dialog: { name: 'offer' } })
  }, [store, account])
  useEffect(() => {
    if (unmoved === 0 && store.getState().dialog.name === 'offer') store.setState({ dialog: { name: 'closed' } })
  }, [store, unmoved])
}
