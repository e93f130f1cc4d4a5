import type { Label } from '@lineage/referral-api'
import { toLabelsCsv } from '@lineage/referral-api/labels'
import EditIcon from '@mui/icons-material/EditNoteOutlined'
import Button from '@mui/material/Button'
import IconButton from '@mui/material/IconButton'
import { styled } from '@mui/material/styles'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { downloadCsv } from '../../lib/download.ts'
import { phone } from '../../lib/theme.ts'
import { useFormat } from '../../lib/useFormat.ts'
import { useTexts } from '../../lib/useTexts.ts'
import { AddressText } from '../../shared/address/AddressText.tsx'
import { shorten } from '../../shared/address/parseAddress.ts'
import { More } from '../../shared/charts/More.tsx'
import { Choice } from '../../shared/frame/Choice.tsx'
import { LineInput } from '../../shared/frame/LineInput.tsx'
import { useLabels } from '../../shared/labels/labels.ts'
import { Section } from '../../shared/lookup/Section.tsx'
import { Skeleton } from '../../shared/lookup/Skeleton.tsx'

type Filter = 'all' | 'watched'

/** A list that fits on a screen needs no field to search it. */
const searchAbove = 8

/** A person's labels and watch list. */
export default function LabelsList() {
  const { t } = useTexts('labels')
  const { t: common } = useTranslation()
  const { shown, place, status, waiting, actions } = useLabels((state) => state)
  const [filter, setFilter] = useState<Filter>('all')
  const [limit, setLimit] = useState(50)
  const [query, setQuery] = useState('')
  const all = [...shown.values()]
  // A field that goes away takes what was typed with it.
  const isSearched = all.length > searchAbove
  const wanted = isSearched ? query.trim().toLowerCase() : ''
  const rows = all.filter(
    ({ address, text, watched }) =>
      (filter === 'all' || watched) && `${text}\n${address}`.toLowerCase().includes(wanted),
  )

  const body =
    status === 'loading' ? (
      <Skeleton rows={3} />
    ) : status === 'failed' && all.length === 0 ? (
      <Plain role="alert">
        {t('list.failed')}{' '}
        <More type="button" onClick={() => void actions?.reload()}>
          {common('failure.retry')}
        </More>
      </Plain>
    ) : all.length === 0 && waiting > 0 ? null : rows.length === 0 ? (
      <Plain role="status">
        {all.length === 0
          ? t('list.empty')
          : wanted
            ? t('list.noneFound', { query: query.trim() })
            : t('list.noneWatched')}
      </Plain>
    ) : (
      <>
        <List>
          {rows.slice(0, limit).map((label) => (
            <Row key={label.address} label={label} />
          ))}
        </List>
        {rows.length > limit && (
          <More type="button" onClick={() => setLimit(limit + 50)}>
            {t('list.more')}
          </More>
        )}
      </>
    )

  return (
    <Section
      title={t('list.title')}
      aside={
        all.length > 0 && (
          <Choice
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
      {place === 'account' && waiting > 0 && (
        <Plain>
          {t('list.waiting', { count: waiting })}{' '}
          <More type="button" onClick={() => void actions?.move()}>
            {t('offer.yes')}
          </More>
        </Plain>
      )}
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
      {body}
      {status === 'ready' && all.length > 0 && (
        <Foot>
          <p>{t(`place.${place}`)}</p>
          <Button size="small" variant="outlined" onClick={() => downloadCsv('lineage-labels.csv', toLabelsCsv(all))}>
            {t('list.export')}
          </Button>
          <Button size="small" color="error" onClick={() => actions?.ask({ name: 'clear' })}>
            {t('list.clear')}
          </Button>
        </Foot>
      )}
    </Section>
  )
}

function Row({ label: { address, text, updatedAt } }: { label: Label }) {
  const { t } = useTexts('labels')
  const format = useFormat()
  const ask = useLabels((state) => state.actions?.ask)
  const edit = t('list.edit', { name: text || shorten(address) })
  return (
    <li>
      <AddressText address={address} />
      <time dateTime={new Date(updatedAt * 1_000).toISOString()} title={format.moment(updatedAt)}>
        {format.day(updatedAt)}
      </time>
      <IconButton aria-label={edit} title={edit} onClick={() => ask?.({ name: 'edit', address })}>
        <EditIcon fontSize="small" />
      </IconButton>
    </li>
  )
}

const Search = styled(LineInput)({
  maxWidth: 420,
  marginBottom: 8,
  '&::-webkit-search-cancel-button': { filter: 'grayscale(1)' },
})

const List = styled('ul')(({ theme }) => ({
  margin: 0,
  padding: 0,
  listStyle: 'none',
  fontSize: '0.8125rem',
  '& li': {
    display: 'flex',
    alignItems: 'center',
    gap: 12,
    minHeight: 48,
    borderBottom: `1px solid ${theme.vars?.palette.divider}`,
    '& > span': { flex: 1, minWidth: 0 },
    '& > .MuiIconButton-root': { width: 44, height: 44 },
  },
  '& time': { color: theme.vars?.palette.text.secondary, whiteSpace: 'nowrap', [phone]: { display: 'none' } },
}))

const Foot = styled('div')({
  display: 'flex',
  flexWrap: 'wrap',
  alignItems: 'center',
  gap: '8px 12px',
  paddingTop: 16,
  '& p': { flex: '1 1 300px', margin: 0, fontSize: '0.8125rem' },
  '& .MuiButton-root': { minHeight: 44 },
})

const Plain = styled('p')(({ theme }) => ({
  margin: 0,
  fontSize: '0.875rem',
  color: theme.vars?.palette.text.secondary,
}))
