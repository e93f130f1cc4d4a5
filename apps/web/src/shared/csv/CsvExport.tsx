import type { Address, Community, MemberEvents, ReferralClient, ReferralsFilter } from '@lineage/referral-api'
import { styled } from '@mui/material/styles'
import { useState } from 'react'
import { useStore } from 'zustand'
import { useApi } from '../../lib/api.ts'
import { mayLoseFiles } from '../../lib/downloadFile.ts'
import { useFormat } from '../../lib/format.ts'
import { useTranslation } from '../../lib/i18n.ts'
import { Announced } from '../frame/Announcer.tsx'
import { Button } from '../frame/Button.tsx'
import { ProgressLine } from '../lookup/ProgressLine.tsx'
import {
  type CsvDownload,
  type CsvDownloadState,
  canWriteFiles,
  createCsvDownload,
  openCsvFile,
} from './createCsvDownload.ts'

/** Average bytes per CSV row, measured on communities with 18 decimals. */
const bytesPerRow = 290
/** Largest file in bytes that is kept in memory without a warning. */
const muchMemory = 32_000_000

type Props = {
  address: Address
  community: Community
  /** Number of rows; with `relation`, at least this number. */
  rows: number
  relation?: 'exact' | 'atLeast'
  filter?: ReferralsFilter
  /** The past moment of the downline. */
  asOf?: string
  /** Order by join time; the earliest first by default. */
  order?: 'asc' | 'desc'
  /** Text of the button. */
  label?: string
  /** Returns the description of the export; the whole downline by default. */
  describe?: (size: string) => string
}

/** Exports the downline, or those who match a filter, as CSV, with the size, the progress and the result. */
export function CsvExport({
  address,
  community,
  rows,
  relation = 'exact',
  filter,
  asOf,
  order,
  label,
  describe,
}: Props) {
  const { t } = useTranslation()
  const format = useFormat()
  const api = useApi()
  const query = { ...filter, order, asOf, tz: format.timeZone }
  const { now, start, cancel } = useCsvDownload(
    `referrals ${community.id} ${address} ${JSON.stringify(query)}`,
    (client, signal) => client.referralsCsv(community.id, address, { ...query, signal }),
  )
  const [asked, setAsked] = useState<'nothing' | 'memory'>('nothing')
  const name = `${community.id}-${address}${asOf ? `-${asOf}` : ''}${filter ? '-filtered' : ''}.csv`
  const size = format.bytes(rows * bytesPerRow)
  const isLarge = () => !canWriteFiles() && rows * bytesPerRow > muchMemory

  const begin = () => {
    setAsked('nothing')
    void start(() => openCsvFile(name))
  }
  if (asked === 'memory')
    return (
      <Root>
        <p role="alert">{t('csv.large', { size })}</p>
        <Button
          component="a"
          size="small"
          variant="outlined"
          href={api.referralsCsvUrl(community.id, address, query)}
          download={name}
          onClick={() => setAsked('nothing')}
        >
          {t('csv.large.browser')}
        </Button>
        <Button size="small" onClick={begin}>
          {t('csv.large.here')}
        </Button>
        <Button size="small" onClick={() => setAsked('nothing')}>
          {t('csv.cancel')}
        </Button>
      </Root>
    )
  return (
    <CsvRow
      now={now}
      rows={rows}
      relation={relation}
      label={label}
      idle={describe?.(size) ?? t('csv.size', { count: rows, rows: format.count(rows), size })}
      onStart={() => (isLarge() ? setAsked('memory') : begin())}
      onCancel={cancel}
    />
  )
}

type RowProps = {
  now: CsvDownloadState
  rows: number
  relation?: 'exact' | 'atLeast'
  /** Text of the button. */
  label?: string | undefined
  /** Text shown before a download; empty where the button says all. */
  idle: string
  onStart: () => void
  onCancel: () => void
}

/** Shows the progress or the result of a download, and its buttons. */
export function CsvRow({ now, rows, relation = 'exact', label, idle, onStart, onCancel }: RowProps) {
  const { t } = useTranslation()
  const format = useFormat()
  const outcome = useOutcome(now)
  return (
    <Root>
      {now.state === 'running' ? (
        <>
          <Button size="small" variant="outlined" onClick={onCancel}>
            {t('csv.cancel')}
          </Button>
          {relation === 'exact' && <Line label={t('csv.export')} part={partOf(now.rows, rows)} />}
          <p>
            {relation === 'exact'
              ? t('csv.progress', { rows: format.count(now.rows), total: format.count(Math.max(now.rows, rows)) })
              : t('csv.rows', { count: now.rows, rows: format.count(now.rows) })}
          </p>
        </>
      ) : (
        <>
          <Button size="small" variant="outlined" onClick={onStart}>
            {now.state === 'failed' ? t('failure.retry') : (label ?? t('csv.export'))}
          </Button>
          {(now.state !== 'idle' || idle !== '') && (
            <p data-state={now.state}>
              {now.state === 'idle' ? <span>{idle}</span> : <Announced>{outcome}</Announced>}
            </p>
          )}
        </>
      )}
    </Root>
  )
}

/** Returns the sentence below the button: the outcome of the download, if it is over. */
function useOutcome(now: CsvDownloadState): string {
  const { t } = useTranslation()
  const format = useFormat()
  switch (now.state) {
    case 'saved':
      return [
        t('csv.saved', { count: now.rows, rows: format.count(now.rows) }),
        mayLoseFiles(navigator.userAgent) && t('csv.inChatApp'),
      ]
        .filter(Boolean)
        .join(' ')
    case 'cancelled':
      return t(now.left === 'nothing' ? 'csv.cancelled' : 'csv.cancelled.empty')
    case 'failed': {
      if (now.why === 'offline' && now.rows === 0 && now.left === 'nothing') return t('failure.offline.title')
      const known = now.why === 'disk' || now.why === 'offline' || now.why === 'busy' ? now.why : undefined
      const why = known ?? (now.rows > 0 ? 'broken' : 'unanswered')
      const text = t(`csv.failed.${why}`, { rows: format.count(now.rows) })
      return now.left === 'emptyFile' ? `${text} ${t('csv.left')}` : text
    }
    default:
      return ''
  }
}

const partOf = (rows: number, total: number) => (total > 0 ? Math.min(1, rows / total) : 0)

const Root = styled('div')(({ theme }) => ({
  display: 'flex',
  flexWrap: 'wrap',
  alignItems: 'center',
  gap: '4px 14px',
  minHeight: 44,
  '& p': { margin: 0, fontSize: '0.8125rem', color: theme.vars?.palette.text.secondary },
  '& p[role="alert"]': { flexBasis: '100%', color: theme.vars?.palette.warning.main },
  '& p[data-state="failed"]': { color: theme.vars?.palette.error.main },
  '@media print': { display: 'none' },
}))

const Line = styled(ProgressLine)(({ theme }) => ({
  flex: '1 1 120px',
  maxWidth: 320,
  margin: '0 4px',
  background: `color-mix(in srgb, ${theme.vars?.palette.text.primary} 24%, transparent)`,
}))

type EventsProps = {
  address: Address
  community: Community
  kind: MemberEvents['items'][number]['kind'] | undefined
  /** Description of the export. */
  text: string
}

/** Exports the events of an address, all or of one kind, as CSV. Their number is not known in advance. */
export function EventsExport({ address, community: { id }, kind, text }: EventsProps) {
  const { now, start, cancel } = useCsvDownload(`events ${id} ${address} ${kind}`, (api, signal) =>
    api.memberEventsCsv(id, address, { kind, signal }),
  )
  const name = `${id}-${address}-${kind ?? 'events'}.csv`
  return (
    <CsvRow
      now={now}
      rows={0}
      relation="atLeast"
      idle={text}
      onStart={() => void start(() => openCsvFile(name))}
      onCancel={cancel}
    />
  )
}

const downloads = new WeakMap<ReferralClient, Map<string, CsvDownload>>()

/**
 * Returns a CSV download that is shared by all pages and survives navigation.
 *
 * @param key Identifies the download.
 */
function useCsvDownload(
  key: string,
  open: (api: ReferralClient, signal: AbortSignal) => Promise<ReadableStream<Uint8Array>>,
): Omit<CsvDownload, 'store'> & { now: CsvDownloadState } {
  const api = useApi()
  const known = downloads.get(api) ?? new Map<string, CsvDownload>()
  downloads.set(api, known)
  const download = known.get(key) ?? createCsvDownload((signal) => open(api, signal))
  known.set(key, download)
  return { now: useStore(download.store), start: download.start, cancel: download.cancel }
}
