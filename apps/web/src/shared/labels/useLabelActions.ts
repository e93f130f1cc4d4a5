import type { Address, Label } from '@lineage/referral-api'
import type { LabelsClient } from '@lineage/referral-api/labels-client'
import { useQueryClient } from '@tanstack/react-query'
import { useCallback, useMemo } from 'react'
import { writeStored } from '../../lib/storage.ts'
import { readBrowserLabels, writeBrowserLabels } from './browserLabels.ts'
import { applyChanges, type LabelChange, offerKey, toChange, withoutMoved } from './labelChanges.ts'
import { browserSource, type LabelSource, toLabelMap } from './labelSources.ts'
import type { LabelActions, LabelsStore } from './labelsStore.ts'
import { type LabelNews, useLabelMutation } from './useLabelMutation.ts'
import { useOtherTabs } from './useOtherTabs.ts'

/** Holds the `offerKey` of the declined offer. */
export const declinedKey = 'lineage-labels-declined'

type Parameters = {
  store: LabelsStore
  client: LabelsClient
  account: Address | undefined
  source: LabelSource
  onNews: (news: LabelNews) => void
}

export function useLabelActions(parameters: Parameters): LabelActions {
  const { store, account } = parameters
  const queryClient = useQueryClient()
  const { queryKey } = parameters.source
  const reload = useCallback(() => queryClient.invalidateQueries({ queryKey }), [queryClient, queryKey])
  const notifyTabs = useOtherTabs(account, reload)
  const { save, removeAll, move } = useLabelMutations({ ...parameters, notifyTabs })
  return useMemo(() => {
    const closeDialog = () => store.setState({ dialog: { name: 'closed' } })
    return {
      save: (address, content) => save(toChange(address, content)),
      removeAll: () => removeAll(undefined),
      reload,
      async moveToAccount() {
        closeDialog()
        const labels = [...readBrowserLabels().values()]
        if (account && labels.length > 0) await move(labels)
      },
      declineMove() {
        closeDialog()
        if (account) writeStored(declinedKey, offerKey(account, readBrowserLabels()))
      },
      openDialog: (dialog) => store.setState({ dialog }),
      closeDialog,
    }
  }, [store, account, reload, save, removeAll, move])
}

function useLabelMutations({ client, source, onNews, notifyTabs }: Parameters & { notifyTabs: () => void }) {
  const queryClient = useQueryClient()
  const session = { queryKey: source.queryKey, notifyTabs, onNews }
  return {
    save: useLabelMutation(session, {
      name: 'save',
      send: source.save,
      update: (labels, label, { address }: LabelChange) => applyChanges(labels, [{ address, label }]),
    }),
    removeAll: useLabelMutation(session, {
      name: 'removeAll',
      send: (_: undefined) => source.removeAll(),
      update: () => new Map(),
      onSaved: () => onNews({ kind: 'cleared' }),
    }),
    move: useLabelMutation(session, {
      name: 'move',
      send: (labels: readonly Label[]) => client.merge(labels),
      update: (_, { items }) => toLabelMap(items),
      onSaved(moved) {
        writeBrowserLabels(withoutMoved(readBrowserLabels(), moved))
        void queryClient.invalidateQueries({ queryKey: browserSource.queryKey })
        onNews({ kind: 'moved' })
      },
    }),
  }
}
