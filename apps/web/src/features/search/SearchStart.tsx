import type { Label } from '@lineage/referral-api'
import { toLabelsCsv } from '@lineage/referral-api/labels'
import EditIcon from '@mui/icons-material/EditNoteOutlined'
import { styled } from '@mui/material/styles'
import { useState } from 'react'
import { useSearchParams } from 'react-router-dom'
import { downloadCsv } from '../../lib/downloadFile.ts'
import { useFormat } from '../../lib/format.ts'
import { useLazyTranslation, useTranslation } from '../../lib/i18n.ts'
import { phone } from '../../lib/theme.ts'
import { lookupPath } from '../../paths.ts'
import { AddressText } from '../../shared/address/AddressText.tsx'
import { shorten } from '../../shared/address/parseAddress.ts'
import { Announced } from '../../shared/frame/Announcer.tsx'
import { Button, IconButton } from '../../shared/frame/Button.tsx'
import { TextButton, UnderlinedInput } from '../../shared/frame/controls.tsx'
import { lazyPart } from '../../shared/frame/ErrorBoundary.tsx'
import { Link } from '../../shared/frame/Link.tsx'
import { RadioRow } from '../../shared/frame/RadioRow.tsx'
import { useLabels } from '../../shared/labels/labelsStore.ts'
import { Section } from '../../shared/lookup/Section.tsx'
import { Skeleton } from '../../shared/lookup/Skeleton.tsx'
import { ActionsRow } from './ActionsRow.tsx'

const AccountData = lazyPart(() => import('./AccountData.tsx'))

type Filter = 'all' | 'watched'

/** Number of labels above which the list has a search field. */
const searchAbove = 8

/** Shows the address page without an address: a link to the form for a list of addresses, and the labels. */
export default function SearchStart() {
  return (
    <>
      <ListLink />
      <LabelsList />
    </>
  )
}

/** Shows the user's labels and watch list. */
export function LabelsList() {
  const { t } = useLazyTranslation('labels')
  const { labels, place, status, unmoved } = useLabels((state) => state)
  const [filter, setFilter] = useState<Filter>('all')
  const [query, setQuery] = useState('')
  const all = [...labels.values()]
  const isSearched = all.length > searchAbove
  // Ignore the query while the field is hidden.
  const wanted = isSearched ? query.trim() : ''
  return (
    <Section
      title={t('list.title')}
      aside={
        all.length > 0 && (
          <RadioRow
            label={t('list.filter')}
            value={filter}
            options={[
              ['all', t('list.all')],
              ['watched', t('list.watched')],
            ]}
            onChange={setFilter}
          />
        )
      }
    >
      {status === 'failed' && <FailedNote shown={all.length > 0 ? 'labels' : 'nothing'} />}
      {place === 'account' && unmoved > 0 && <UnmovedNote />}
      {isSearched && (
        <Search
          type="search"
          aria-label={t('list.search')}
          placeholder={t('list.search')}
          value={query}
          onChange={(event) => setQuery(event.target.value)}
          autoComplete="off"
          enterKeyHint="search"
        />
      )}
      {status === 'loading' ? (
        <Skeleton rows={3} />
      ) : all.length > 0 ? (
        <Rows labels={matching(all, filter, wanted)} query={wanted} />
      ) : (
        status === 'ready' && unmoved === 0 && <Plain>{t('list.empty')}</Plain>
      )}
      {status !== 'loading' && all.length > 0 && <Footer labels={all} />}
      {place === 'account' && <AccountData />}
    </Section>
  )
}

const matching = (labels: readonly Label[], filter: Filter, query: string): Label[] =>
  labels.filter(
    ({ address, text, watched }) =>
      (filter === 'all' || watched) && `${text}\n${address}`.toLowerCase().includes(query.toLowerCase()),
  )

function UnmovedNote() {
  const { t } = useLazyTranslation('labels')
  const { unmoved, actions } = useLabels((state) => state)
  return (
    <Plain>
      <span>{`${t('list.waiting', { count: unmoved })} `}</span>
      <TextButton type="button" onClick={() => void actions?.moveToAccount()}>
        {t('offer.yes')}
      </TextButton>
    </Plain>
  )
}

function FailedNote({ shown }: { shown: 'labels' | 'nothing' }) {
  const { t } = useLazyTranslation('labels')
  const { t: common } = useTranslation()
  const actions = useLabels((state) => state.actions)
  return (
    <Plain role="alert">
      <span>{`${t(shown === 'labels' ? 'list.outdated' : 'list.failed')} `}</span>
      <TextButton type="button" onClick={() => void actions?.reload()}>
        {common('failure.retry')}
      </TextButton>
    </Plain>
  )
}

function Rows({ labels, query }: { labels: readonly Label[]; query: string }) {
  const { t } = useLazyTranslation('labels')
  const [limit, setLimit] = useState(50)
  if (labels.length === 0)
    return (
      <Plain>
        <Announced>{query ? t('list.noneFound', { query }) : t('list.noneWatched')}</Announced>
      </Plain>
    )
  return (
    <>
      <List>
        {labels.slice(0, limit).map((label) => (
          <Row key={label.address} label={label} />
        ))}
      </List>
      {labels.length > limit && (
        <TextButton type="button" onClick={() => setLimit(limit + 50)}>
          {t('list.more')}
        </TextButton>
      )}
    </>
  )
}

function Footer({ labels }: { labels: readonly Label[] }) {
  const { t } = useLazyTranslation('labels')
  const { place, actions } = useLabels((state) => state)
  return (
    <ActionsRow>
      <p>{t(`place.${place}`)}</p>
      <Button size="small" variant="outlined" onClick={() => downloadCsv('lineage-labels.csv', toLabelsCsv(labels))}>
        {t('list.export')}
      </Button>
      <Button size="small" color="error" onClick={() => actions?.openDialog({ name: 'clear' })}>
        {t('list.clear')}
      </Button>
    </ActionsRow>
  )
}

function Row({ label: { address, text, updatedAt } }: { label: Label }) {
  const { t } = useLazyTranslation('labels')
  const format = useFormat()
  const openDialog = useLabels((state) => state.actions?.openDialog)
  const edit = t('list.edit', { name: text || shorten(address) })
  return (
    <li>
      <AddressText address={address} />
      <time dateTime={new Date(updatedAt * 1_000).toISOString()} title={format.moment(updatedAt)}>
        {format.day(updatedAt)}
      </time>
      <IconButton aria-label={edit} title={edit} onClick={() => openDialog?.({ name: 'edit', address })}>
        <EditIcon fontSize="small" />
      </IconButton>
    </li>
  )
}

const Search = styled(UnderlinedInput)({
  maxWidth: 420,
  marginBottom: 8,
  '&::-webkit-search-cancel-button': { filter: 'grayscale(1)' },
})

const List = styled('ul')(({ theme }) => ({
  fontSize: '0.8125rem',
  '& li': {
    display: 'flex',
    alignItems: 'center',
    gap: 12,
    minHeight: 48,
    borderBottom: `1px solid ${theme.vars?.palette.divider}`,
    '& > span': { flex: 1, minWidth: 0 },
    '& > button': { width: 44, height: 44 },
  },
  '& time': { color: theme.vars?.palette.text.secondary, whiteSpace: 'nowrap', [phone]: { display: 'none' } },
}))

const Plain = styled('p')(({ theme }) => ({
  margin: 0,
  fontSize: '0.875rem',
  color: theme.vars?.palette.text.secondary,
}))

function ListLink() {
  const { t } = useLazyTranslation('address')
  const [parameters] = useSearchParams()
  return (
    <Button
      variant="outlined"
      component={Link}
      to={lookupPath('search', parameters, { view: 'list' })}
      sx={{ marginTop: '16px', minHeight: 44 }}
    >
      {t('list.enter')}
    </Button>
  )
}
