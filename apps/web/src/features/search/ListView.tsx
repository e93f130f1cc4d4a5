import Button from '@mui/material/Button'
import { styled } from '@mui/material/styles'
import { useEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { downloadCsv } from '../../lib/download.ts'
import { fonts } from '../../lib/theme.ts'
import { useTexts } from '../../lib/useTexts.ts'
import { useAccount, useConnect, useKit } from '../../lib/wallet.ts'
import { AddressProblem } from '../../shared/address/AddressProblem.tsx'
import type { AddressList } from '../../shared/address/parseList.ts'
import { More } from '../../shared/charts/More.tsx'
import { useLabels } from '../../shared/labels/labels.ts'
import { titleOf } from '../../shared/lookup/failure.ts'
import { ProgressLine } from '../../shared/lookup/ProgressLine.tsx'
import { Section } from '../../shared/lookup/Section.tsx'
import { whileBusy } from '../../shared/lookup/whileBusy.ts'
import { ListNotes } from './ListNotes.tsx'
import { ListTable } from './ListTable.tsx'
import { toListCsv } from './toListCsv.ts'
import type { ListLookup } from './useAddressList.ts'

type Props = { list: AddressList; lookup: ListLookup; isCut: boolean; onEdit: () => void }

/** So many pieces that could not be read are shown. */
const unreadShown = 100

/** A list and what has been found out about it so far. */
export function ListView({ list, lookup, isCut, onEdit }: Props) {
  const { t } = useTexts('search')
  const { t: common } = useTranslation()
  const { rows, state, failure } = lookup
  const kit = useKit()
  const account = useAccount()
  const connect = useConnect()
  const { baseUrl, bnb } = kit?.config.names ?? {}
  const names = baseUrl !== undefined ? 'asked' : bnb ? 'found' : 'none'
  const labels = useLabels(({ shown }) => shown)
  const summary = useRef<HTMLParagraphElement>(null)
  // What had the focus is gone: the field with the pasted list, or the form.
  useEffect(() => summary.current?.focus({ preventScroll: true }), [])

  // One button, which keeps its focus.
  const [text, act] = {
    running: ['list.stop', lookup.stop] as const,
    stopped: ['list.resume', lookup.resume] as const,
    done: ['list.again', lookup.again] as const,
  }[state]
  const done = rows.filter(({ card, chain }) => card !== undefined && chain !== undefined).length
  const members = rows.filter(({ card }) => typeof card === 'object').length
  const failedCards = rows.filter(({ card }) => card === 'failed').length
  const failedChain = rows.filter(({ chain }) => chain === 'failed').length
  const exportCsv = () => {
    const names = kit?.getState().names ?? {}
    const csv = toListCsv(rows, list.unread, (address) => ({
      name: names[address.toLowerCase()]?.name,
      label: labels.get(address)?.text,
    }))
    downloadCsv('lineage-addresses.csv', csv)
  }

  return (
    <Root>
      <p ref={summary} tabIndex={-1}>
        <ListNotes list={list} isCut={isCut} />
      </p>
      <ProgressLine label={t('list.progress', { done, total: rows.length })} part={done / rows.length} />
      <div className="state">
        <p role="status">
          {state === 'running'
            ? t('list.progress', { done, total: rows.length })
            : state === 'stopped'
              ? t('list.stopped', { count: rows.length - done })
              : t('list.done', { total: rows.length, members })}
        </p>
        <Button variant="outlined" onClick={act}>
          {t(text)}
        </Button>
        <Button variant="outlined" onClick={onEdit}>
          {t('list.edit')}
        </Button>
        <Button variant="outlined" onClick={exportCsv} disabled={done === 0}>
          {t('list.export')}
        </Button>
      </div>
      {(failedCards > 0 || failedChain > 0) && (
        <div className="failed" role="alert">
          <span>
            {failedCards > 0 &&
              t('list.failedCards', { count: failedCards, reason: failure ? common(titleOf(failure)) : '' })}
            {failedCards > 0 && failedChain > 0 && <br />}
            {failedChain > 0 && t('list.failedChain', { count: failedChain })}
          </span>
          <Button variant="outlined" {...whileBusy(lookup.isRetrying, lookup.retry)}>
            {common(lookup.isRetrying ? 'failure.retrying' : 'failure.retry')}
          </Button>
        </div>
      )}
      {names === 'asked' && !account && (
        <More type="button" onClick={connect}>
          {t('list.connect')}
        </More>
      )}
      <ListTable rows={rows} names={names} />
      {list.unread.length > 0 && (
        <Section title={t('list.unread', { count: list.unread.length })}>
          <Unread>
            {list.unread.slice(0, unreadShown).map(({ line, text, why }, index) => (
              <li key={index}>
                <span>{t('list.unreadLine', { line })}</span>
                <code>{text.length > 60 ? `${text.slice(0, 59)}…` : text}</code>
                <span>{why.kind === 'name' ? t('list.name') : <AddressProblem parsed={why} asked />}</span>
              </li>
            ))}
          </Unread>
          {list.unread.length > unreadShown && (
            <p>{t('list.unreadMore', { count: list.unread.length - unreadShown })}</p>
          )}
        </Section>
      )}
    </Root>
  )
}

const Root = styled('div')(({ theme }) => ({
  '& > p': { margin: 0, fontSize: '0.875rem', outline: 0 },
  '& .state, & .failed': {
    display: 'flex',
    flexWrap: 'wrap',
    alignItems: 'center',
    gap: '8px 10px',
    padding: '2px 0 10px',
    fontSize: '0.8125rem',
    color: theme.vars?.palette.text.secondary,
    '& > p, & > span': { flex: '1 1 220px', margin: 0 },
    '& button:not(:disabled)': { color: theme.vars?.palette.text.primary },
    '& button': { minHeight: 44 },
  },
  '& .failed': { color: theme.vars?.palette.warning.main },
}))

const Unread = styled('ul')(({ theme }) => ({
  margin: 0,
  padding: 0,
  listStyle: 'none',
  fontSize: '0.8125rem',
  '& li': {
    display: 'grid',
    gridTemplateColumns: '5.5em minmax(0, 2fr) minmax(0, 3fr)',
    gap: '2px 20px',
    padding: '10px 0',
    borderTop: `1px solid ${theme.vars?.palette.divider}`,
    '@media (max-width: 767.95px)': {
      gridTemplateColumns: '5.5em minmax(0, 1fr)',
      '& span:last-of-type': { gridColumn: 2 },
    },
  },
  '& code': { fontFamily: fonts.address, overflowWrap: 'anywhere', unicodeBidi: 'isolate' },
  '& span': { color: theme.vars?.palette.text.secondary },
}))
