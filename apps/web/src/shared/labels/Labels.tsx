import { createLabelsClient } from '@lineage/referral-api/account-clients'
import { useCallback, useLayoutEffect, useMemo } from 'react'
import { useApi } from '../../lib/api.ts'
import { loadLaterTexts, useTranslation } from '../../lib/i18n.ts'
import { useNotify } from '../../lib/notices.ts'
import { announce } from '../frame/Announcer.tsx'
import { lazyPart } from '../frame/ErrorBoundary.tsx'
import { useSignedIn } from '../frame/KitProvider.tsx'
import { type LabelsStore, useLabels } from './labelsStore.ts'
import { type LabelNews, syncLabels } from './syncLabels.ts'

const LabelDialogs = lazyPart(() => import('./LabelDialogs.tsx'))

/** Keeps the labels in the store up to date, reports failures, and opens the dialogs. */
export default function Labels({ store }: { store: LabelsStore }) {
  const api = useApi()
  const client = useMemo(() => createLabelsClient(api), [api])
  const account = useSignedIn()
  const dialog = useLabels((state) => state.dialog)
  const onNews = useNotifyNews()
  useLayoutEffect(() => syncLabels({ store, client, account, onNews }), [store, client, account, onNews])
  return (
    dialog.name !== 'closed' && (
      <LabelDialogs
        onError={() => store.getState().actions?.closeDialog()}
        key={dialog.name === 'edit' ? dialog.address : dialog.name}
        dialog={dialog}
      />
    )
  )
}

function useNotifyNews(): (news: LabelNews) => void {
  const notify = useNotify()
  const { i18n } = useTranslation()
  return useCallback(
    (news) => {
      loadLaterTexts(i18n).then(
        () => {
          const t = i18n.translation('labels')
          if (news.kind === 'failed') notify(t(`failure.${news.failure}`), 'error')
          else if (news.kind === 'moved' || news.kind === 'cleared') notify(t(`done.${news.kind}`), 'success')
          // Visible at the address itself.
          else announce(t(`done.${news.kind}`))
        },
        (error: unknown) => console.error(error),
      )
    },
    [notify, i18n],
  )
}
