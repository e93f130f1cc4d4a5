import type { Community } from '@lineage/referral-api'
import { useLayoutEffect, useMemo, useState } from 'react'
import { useLocation, useNavigate, useSearchParams } from 'react-router-dom'
import { useLazyTranslation } from '../../lib/i18n.ts'
import { useIsFromServer } from '../../lib/takeOver.tsx'
import { lookupPath } from '../../paths.ts'
import { type AddressList, parseList, textLimit } from '../../shared/address/parseList.ts'
import { Button } from '../../shared/frame/Button.tsx'
import { Link } from '../../shared/frame/Link.tsx'
import { Page } from '../../shared/frame/Page.tsx'
import { Skeleton } from '../../shared/lookup/Skeleton.tsx'
import { WithCommunity } from '../../shared/lookup/WithCommunity.tsx'
import { NowOnly } from '../../shared/past/NowOnly.tsx'
import { ListForm, ListView } from './ListView.tsx'
import { readDraft, useAddressList, writeDraft } from './useAddressList.ts'

/** Looks up a list of addresses. The list is stored in the history entry, so Back and reload restore it. */
export default function ListPage() {
  const { t } = useLazyTranslation('search')
  const { key, state } = useLocation()
  const [parameters] = useSearchParams()
  const navigate = useNavigate()
  // The server does not know the history entry: a page of its own begins with the form.
  const isFromServer = useIsFromServer()
  const text = isFromServer ? undefined : readText(state)
  const [edited, setEdited] = useState<string>()
  const isEditing = text === undefined || edited === key
  const list = useMemo(() => parseList(text ?? ''), [text])
  // After a reload, a list that was being edited.
  useLayoutEffect(() => {
    if (readDraft()?.entry === key) setEdited(key)
  }, [key])
  return (
    <Page
      title={t('list.title')}
      heading={isEditing ? t('list.ask') : t('list.title')}
      hint={t('list.hint')}
      size={isEditing ? 'large' : 'small'}
      aside={
        <Button
          component={Link}
          to={lookupPath('search', parameters)}
          color="primary"
          size="small"
          sx={{ minHeight: 44, marginX: '-10px' }}
        >
          {t('list.single')}
        </Button>
      }
    >
      <NowOnly />
      {isEditing ? (
        <ListForm
          key={key}
          entry={key}
          text={text}
          onList={(next) => {
            writeDraft(undefined)
            setEdited(undefined)
            const to = lookupPath('search', parameters, { view: 'list' })
            void navigate(to, { state: { list: next }, replace: text === undefined || text === next })
          }}
        />
      ) : (
        <WithCommunity skeleton={<Skeleton rows={8} />}>
          {(community) => (
            <ListAnswer
              key={`${community.id} ${text}`}
              community={community}
              list={list}
              isCut={text.length >= textLimit}
              onEdit={() => setEdited(key)}
            />
          )}
        </WithCommunity>
      )}
    </Page>
  )
}

/** Reads the list from the history state, which an older version may have written. */
function readText(state: unknown): string | undefined {
  const text: unknown = (state as { list?: unknown } | null)?.list
  return typeof text === 'string' ? text.slice(0, textLimit) : undefined
}

type AnswerProps = { community: Community; list: AddressList; isCut: boolean; onEdit: () => void }

function ListAnswer({ community, list, isCut, onEdit }: AnswerProps) {
  const lookup = useAddressList(community.id, list)
  return <ListView list={list} lookup={lookup} isCut={isCut} onEdit={onEdit} />
}
