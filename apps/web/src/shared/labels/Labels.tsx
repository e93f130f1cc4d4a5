import { createLabelsClient } from '@lineage/referral-api/labels-client'
import { lazy, Suspense, useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { useApi } from '../../lib/api.ts'
import { useTell } from '../../lib/notices.ts'
import { loadTexts } from '../../lib/useTexts.ts'
import { useKit } from '../../lib/wallet.ts'
import { keepLabels } from './keepLabels.ts'
import { type LabelsStore, useLabels } from './labels.ts'

const LabelTask = lazy(() => import('./LabelTask.tsx'))

/** Keeps the labels, says what became of them, and asks what there is to ask. */
export default function Labels({ store }: { store: LabelsStore }) {
  const api = useApi()
  const kit = useKit()
  const tell = useTell()
  const { i18n } = useTranslation()

  useEffect(() => {
    const account = {
      get: () => kit?.getState().session?.address,
      subscribe: (listener: () => void) => kit?.subscribe(listener) ?? (() => {}),
    }
    return keepLabels({
      store,
      client: createLabelsClient(api),
      account,
      onNews: (news) =>
        void loadTexts(i18n, 'labels').then(
          () => {
            const t = i18n.getFixedT(null, 'labels')
            if (news.kind === 'failed') tell(t(`failure.${news.failure}`), 'error')
            else tell(t(news.kind === 'moved' ? 'offer.done' : 'clear.done'), 'success')
          },
          (error: unknown) => console.error(error),
        ),
    })
  }, [store, api, kit, tell, i18n])

  const task = useLabels((state) => state.task)
  return (
    task.name !== 'none' && (
      <Suspense>
        <LabelTask key={task.name === 'edit' ? task.address : task.name} task={task} />
      </Suspense>
    )
  )
}
