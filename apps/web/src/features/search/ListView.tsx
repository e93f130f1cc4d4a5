import { useWalletKit } from '@lineage/wallet-kit'
import { styled } from '@mui/material/styles'
import { useDeferredValue, useEffect, useId, useLayoutEffect, useMemo, useRef, useState } from 'react'
import { useConfig } from '../../lib/api.ts'
import { downloadCsv } from '../../lib/downloadFile.ts'
import { useFormat } from '../../lib/format.ts'
import { useLazyTranslation, useTranslation } from '../../lib/i18n.ts'
import { fonts, phone } from '../../lib/theme.ts'
import { AddressProblem } from '../../shared/address/AddressProblem.tsx'
import { hidePhrases } from '../../shared/address/parseAddress.ts'
import { type AddressList, parseList, textLimit } from '../../shared/address/parseList.ts'
import { Announced } from '../../shared/frame/Announcer.tsx'
import { Button } from '../../shared/frame/Button.tsx'
import { busyButtonProps, TextButton } from '../../shared/frame/controls.tsx'
import { useAccount } from '../../shared/frame/KitProvider.tsx'
import { useLabels } from '../../shared/labels/labelsStore.ts'
import { AsOfBlock } from '../../shared/lookup/AsOfBlock.tsx'
import { titleOf } from '../../shared/lookup/failure.ts'
import { ProgressLine } from '../../shared/lookup/ProgressLine.tsx'
import { Section } from '../../shared/lookup/Section.tsx'
import { ListTable } from './ListTable.tsx'
import { toListCsv } from './toListCsv.ts'
import { type ListLookup, readDraft, writeDraft } from './useAddressList.ts'

type Props = { list: AddressList; lookup: ListLookup; isCut: boolean; onEdit: () => void }

/** Largest number of unread texts shown. */
const unreadShown = 100

/** Shows a list of addresses and the results so far. */
export function ListView({ list, lookup, isCut, onEdit }: Props) {
  const { t } = useLazyTranslation('search')
  const { rows } = lookup
  const kit = useWalletKit({ shouldThrow: false })
  const account = useAccount()
  const { service, bnb } = useConfig().data?.names ?? {}
  const names = service ? 'asked' : bnb ? 'found' : 'none'
  const summary = useRef<HTMLParagraphElement>(null)
  // The focused element, the field or the form, has left the page.
  useEffect(() => summary.current?.focus({ preventScroll: true }), [])
  const done = rows.filter(({ card, chain }) => card !== undefined && chain !== undefined).length
  return (
    <Root>
      <p ref={summary} tabIndex={-1}>
        <ListNotes list={list} isCut={isCut} />
      </p>
      <ProgressLine label={t('list.progress', { done, total: rows.length })} part={done / rows.length} />
      <StateLine list={list} lookup={lookup} done={done} onEdit={onEdit} />
      <Failures lookup={lookup} />
      {names === 'asked' && !account && (
        <TextButton type="button" onClick={() => kit?.openConnectDialog()}>
          {t('list.connect')}
        </TextButton>
      )}
      <ListTable rows={rows} names={names} />
      {list.unread.length > 0 && <UnreadSection unread={list.unread} />}
      {lookup.asOf && <AsOfBlock asOf={lookup.asOf} />}
    </Root>
  )
}

function StateLine({ list, lookup, done, onEdit }: Omit<Props, 'isCut'> & { done: number }) {
  const { t } = useLazyTranslation('search')
  const kit = useWalletKit({ shouldThrow: false })
  const labels = useLabels(({ labels }) => labels)
  const { rows, state } = lookup
  // One button for three states, so that it keeps the focus.
  const [text, act] = {
    running: ['list.stop', lookup.stop] as const,
    stopped: ['list.resume', lookup.resume] as const,
    done: ['list.again', lookup.again] as const,
  }[state]
  const members = rows.filter(({ card }) => typeof card === 'object').length
  const exportCsv = () => {
    const names = kit?.getState().names ?? {}
    const csv = toListCsv(rows, list.unread, (address) => ({
      name: names[address.toLowerCase()]?.name,
      label: labels.get(address)?.text,
    }))
    downloadCsv('lineage-addresses.csv', csv)
  }
  return (
    <div className="state">
      <p>
        {state === 'running' ? (
          <span>{t('list.progress', { done, total: rows.length })}</span>
        ) : (
          <Announced>
            {state === 'stopped'
              ? t('list.stopped', { count: rows.length - done })
              : t('list.done', { total: rows.length, members })}
          </Announced>
        )}
      </p>
      <div className="actions">
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
    </div>
  )
}

function Failures({ lookup: { rows, failure, isRetrying, retry } }: Pick<Props, 'lookup'>) {
  const { t } = useLazyTranslation('search')
  const { t: common } = useTranslation()
  const cards = rows.filter(({ card }) => card === 'failed').length
  const chain = rows.filter(({ chain }) => chain === 'failed').length
  if (cards === 0 && chain === 0) return null
  return (
    <div className="failed">
      <div role="alert">
        {cards > 0 && (
          <span>{t('list.failedCards', { count: cards, reason: failure ? common(titleOf(failure)) : '' })}</span>
        )}
        {cards > 0 && chain > 0 && <br />}
        {chain > 0 && <span>{t('list.failedChain', { count: chain })}</span>}
      </div>
      <Button variant="outlined" {...busyButtonProps(isRetrying, retry)}>
        {common(isRetrying ? 'failure.retrying' : 'failure.retry')}
      </Button>
    </div>
  )
}

function UnreadSection({ unread }: Pick<AddressList, 'unread'>) {
  const { t } = useLazyTranslation('search')
  return (
    <Section title={t('list.unread', { count: unread.length })}>
      <Unread>
        {unread.slice(0, unreadShown).map(({ line, text, why }, index) => (
          <li key={index}>
            <span>{t('list.unreadLine', { line })}</span>
            <code>{text.length > 60 ? `${text.slice(0, 59)}…` : text}</code>
            <span>{why.kind === 'name' ? t('list.name') : <AddressProblem parsed={why} asked />}</span>
          </li>
        ))}
      </Unread>
      {unread.length > unreadShown && <p>{t('list.unreadMore', { count: unread.length - unreadShown })}</p>}
    </Section>
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
    '& > p, & > div:not(.actions)': { flex: '1 1 220px', margin: 0 },
    '& .actions': { display: 'flex', flexWrap: 'wrap', gap: 'inherit' },
    '& button:not(:disabled)': { color: theme.vars?.palette.text.primary },
    '& button': { minHeight: 44 },
    [phone]: { '& .actions': { gap: 8 }, '& .actions button': { paddingInline: 10, whiteSpace: 'nowrap' } },
  },
  '& .failed': { color: theme.vars?.palette.warning.main },
}))

const Unread = styled('ul')(({ theme }) => ({
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

type FormProps = {
  /** Key of the history entry. */
  entry: string
  /** The list that was looked up in this entry. */
  text: string | undefined
  onList: (text: string) => void
}

/** Renders the form for a list of addresses. */
export function ListForm({ entry, text, onList }: FormProps) {
  const { t } = useLazyTranslation('search')
  const id = useId()
  const [draft, setDraft] = useState(text ?? '')
  const [isAsked, setIsAsked] = useState(false)
  const deferred = useDeferredValue(draft)
  const list = useMemo(() => parseList(deferred.slice(0, textLimit)), [deferred])
  const isEmpty = list.entries.length === 0
  const submit = () => {
    setIsAsked(true)
    if (parseList(draft.slice(0, textLimit)).entries.length > 0) onList(draft.slice(0, textLimit))
  }
  // The server, whose page this may be, has no draft.
  useLayoutEffect(() => {
    const kept = readDraft()
    if (kept && (text === undefined || kept.entry === entry)) setDraft(kept.text)
  }, [entry, text])
  return (
    <Form
      onSubmit={(event) => {
        event.preventDefault()
        submit()
      }}
    >
      <textarea
        aria-label={t('list.field')}
        aria-describedby={`${id}-notes`}
        aria-invalid={isAsked && isEmpty}
        placeholder={t('list.placeholder')}
        value={draft}
        rows={9}
        onChange={(event) => {
          const value = hidePhrases(event.target.value)
          setDraft(value)
          writeDraft(value === (text ?? '') ? undefined : { entry, text: value })
          setIsAsked(false)
        }}
        onKeyDown={(event) => {
          if (event.key === 'Enter' && (event.metaKey || event.ctrlKey)) submit()
        }}
        // biome-ignore lint/a11y/noAutofocus: the page is this question
        autoFocus
        autoComplete="off"
        autoCapitalize="off"
        autoCorrect="off"
        spellCheck={false}
      />
      <footer>
        <Button type="submit" variant="contained" color="primary" sx={{ minHeight: 44 }}>
          {t('list.start')}
        </Button>
        <div id={`${id}-notes`} role="status" data-wrong={isAsked && isEmpty}>
          {isEmpty ? (
            isAsked && t('list.noneRead')
          ) : (
            <ListNotes list={list} isCut={deferred.length >= textLimit} withUnread />
          )}
        </div>
      </footer>
    </Form>
  )
}

const Form = styled('form')(({ theme }) => ({
  maxWidth: 760,
  '& textarea': {
    display: 'block',
    boxSizing: 'border-box',
    width: '100%',
    minHeight: 220,
    padding: '14px 16px',
    border: `1px solid ${theme.vars?.palette.text.primary}`,
    borderRadius: 0,
    background: 'none',
    color: 'inherit',
    font: `400 1rem/1.7 ${fonts.address}`,
    resize: 'vertical',
    '&::placeholder': { color: theme.vars?.palette.text.secondary, opacity: 1 },
    '&:focus': {
      outline: 0,
      borderColor: theme.vars?.palette.primary.main,
      boxShadow: `inset 0 0 0 1px ${theme.vars?.palette.primary.main}`,
    },
    '&[aria-invalid="true"]': { borderColor: theme.vars?.palette.error.main, boxShadow: 'none' },
  },
  '& footer': { display: 'flex', flexWrap: 'wrap', alignItems: 'center', gap: '10px 20px', paddingTop: 16 },
  '& footer > div': { flex: '1 1 240px', fontSize: '0.8125rem', color: theme.vars?.palette.text.secondary },
  '& footer > div[data-wrong="true"]': { color: theme.vars?.palette.error.main },
}))

type NotesProps = { list: AddressList; isCut: boolean; withUnread?: boolean }

/** Shows how many addresses of a list were read, merged and left out. */
export function ListNotes({ list: { entries, repeated, beyond, unread }, isCut, withUnread = false }: NotesProps) {
  const { t } = useLazyTranslation('search')
  const format = useFormat()
  const plain = [
    t('list.count', { count: entries.length }),
    ...(repeated > 0 ? [t('list.repeated', { count: repeated })] : []),
    ...(withUnread && unread.length > 0 ? [t('list.unread', { count: unread.length })] : []),
  ]
  return (
    <>
      <span>{plain.join(' · ')}</span>
      {withUnread && unread.some(({ why }) => why.kind === 'secret') && (
        <Left>
          <AddressProblem parsed={{ kind: 'secret' }} asked />
        </Left>
      )}
      {beyond > 0 && <Left>{t('list.beyond', { count: beyond, number: format.count(beyond) })}</Left>}
      {isCut && <Left>{t('list.cut')}</Left>}
    </>
  )
}

const Left = styled('span')(({ theme }) => ({ display: 'block', color: theme.vars?.palette.warning.main }))
