import { styled } from '@mui/material/styles'
import { useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { useFormat } from '../../lib/format.ts'
import { useTranslation } from '../../lib/i18n.ts'
import type { More } from '../../lib/pages.ts'
import { visuallyHidden } from '../../lib/theme.ts'
import { busyButtonProps, TextButton } from '../frame/controls.tsx'
import { lazyPart } from '../frame/ErrorBoundary.tsx'
import { printedRows, useIsPrinting } from '../lookup/printing.tsx'
import { levelsAtOnce, useMoreText } from '../lookup/queries.ts'
import type { ChartSource } from '../share/ChartFiles.tsx'

const ChartFiles = lazyPart(() => import('../share/ChartFiles.tsx'))

type Bar = { key: string; label: string; value: number; text: string; note?: string; href?: string }

type Props = {
  caption: string
  columns: { label: string; value: string; note?: string }
  bars: readonly Bar[]
  /** Number of all rows, if `bars` are the first. */
  count?: number
  /** The rows after `bars`. */
  more?: More
  source: ChartSource
}

/** Rows shown before "Show all". */
const shown = 12
/** Number of rows below which the rest is shown at once: a button would take as much room. */
const least = 4

/** Renders a table whose values are drawn as bars. */
export function BarTable({ caption, columns, bars, count = bars.length, more, source }: Props) {
  const { t } = useTranslation()
  const table = useRef<HTMLTableElement>(null)
  const format = useFormat()
  const [chosen, setExtent] = useState(shown)
  const isLong = count >= shown + least
  const extent = isLong ? chosen : count
  const greatest = bars.reduce((most, { value }) => Math.max(most, value), 1)
  const isPrinting = useIsPrinting()
  const rows = bars.slice(0, isPrinting ? printedRows : extent)
  const drawn = Math.min(extent, bars.length)
  const next = Math.min(count, drawn < Math.min(count, extent) ? extent : extent + levelsAtOnce)
  const key = count > levelsAtOnce ? 'levels.more' : 'chart.all'
  const text = useMoreText(more?.state, t(key, { count, number: format.count(next - drawn) }))
  return (
    <>
      <Scroller>
        <Table ref={table} data-columns={columns.note ? 3 : 2}>
          <caption>{caption}</caption>
          <thead>
            <tr>
              <th scope="col">{columns.label}</th>
              <th scope="col">{columns.value}</th>
              {columns.note && <th scope="col">{columns.note}</th>}
            </tr>
          </thead>
          <tbody>
            {rows.map((bar) => (
              <tr key={bar.key}>
                <th scope="row">{bar.label}</th>
                <td>
                  <span>
                    <i style={{ width: `${(bar.value / greatest) * 100}%` }} />
                    <b>{bar.text}</b>
                  </span>
                </td>
                {columns.note && <td>{bar.note}</td>}
              </tr>
            ))}
          </tbody>
        </Table>
      </Scroller>
      <Below>
        <ChartFiles name={caption} chart={table} source={source} />
        {isPrinting && rows.length < count && <span>{`${format.count(rows.length)} / ${format.count(count)}`}</span>}
        {isLong && (
          <TextButton
            type="button"
            aria-expanded={extent > shown}
            {...busyButtonProps(more?.state === 'loading', () => {
              if (drawn < count) {
                setExtent(next)
                if (bars.length < next) more?.load()
              } else {
                flushSync(() => setExtent(shown))
                // The rows below have moved far up.
                table.current?.scrollIntoView({ block: 'nearest' })
              }
            })}
          >
            {drawn < count ? text : t('chart.fewer')}
          </TextButton>
        )}
      </Below>
    </>
  )
}

/** Scrolls a table that is wider than the page, as with text of twice the size. */
const Scroller = styled('div')({ overflowX: 'auto' })

/** Reserves the height of the buttons, which load later. */
const Below = styled('div')({ display: 'flow-root', minHeight: 44 })

const Table = styled('table')(({ theme }) => ({
  width: '100%',
  borderCollapse: 'collapse',
  fontSize: '0.8125rem',
  lineHeight: '30px',
  '& caption, &[data-columns="2"] thead': visuallyHidden,
  '& th': {
    width: 1,
    padding: '0 16px 0 0',
    textAlign: 'left',
    fontWeight: 400,
    whiteSpace: 'nowrap',
    color: theme.vars?.palette.text.secondary,
  },
  '& thead th': { lineHeight: '24px', '&:last-of-type': { padding: '0 0 0 16px', textAlign: 'right' } },
  '& thead th:nth-of-type(2)': { width: 'auto' },
  '& td': { padding: 0, whiteSpace: 'nowrap' },
  '& td:nth-of-type(2)': {
    width: 1,
    paddingLeft: 16,
    textAlign: 'right',
    color: theme.vars?.palette.text.secondary,
  },
  '& td > span': { display: 'flex', alignItems: 'center', gap: 10, paddingRight: 76 },
  '& i': {
    flex: 'none',
    minWidth: 1,
    height: 10,
    background: `color-mix(in srgb, ${theme.vars?.palette.text.primary} 78%, transparent)`,
    printColorAdjust: 'exact',
  },
  '& tr:hover i': { background: theme.vars?.palette.primary.main },
  '& b': { fontWeight: 400 },
  '@media (max-width: 22.4969em)': {
    '& thead th:last-of-type': { whiteSpace: 'normal', lineHeight: 1.3 },
    '& td > span': { gap: 6, paddingRight: 56 },
  },
}))
