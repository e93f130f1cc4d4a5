import type { Levels } from '@lineage/referral-api'
import { styled } from '@mui/material/styles'
import { type KeyboardEvent, useEffect, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { useFormat } from '../../lib/format.ts'
import { useTranslation } from '../../lib/i18n.ts'
import type { More } from '../../lib/pages.ts'
import { busyButtonProps } from '../../shared/frame/controls.tsx'
import { useIsPrinting } from '../../shared/lookup/printing.tsx'
import { levelsAtOnce, useMoreText } from '../../shared/lookup/queries.ts'
import type { Level } from './query.ts'
import type { DownlineView } from './useDownlineView.ts'

type Props = {
  /** The first levels, and the chosen one. */
  levels: readonly Pick<Levels['items'][number], 'level' | 'count'>[]
  /** Number of all levels. */
  count: number
  total: number
  view: DownlineView
  onLevel: (level: Level) => void
  /** The levels after the first. */
  more: More
}

/** Number of levels that are shown before more are asked for. Print has all that are loaded. */
const first = 100

/** Draws a bar chart of the levels; each bar is a button that opens the level's table. Arrow keys move between them. */
export function LevelBar({ levels, count: all, total, view, onLevel, more }: Props) {
  const { t } = useTranslation()
  const format = useFormat()
  const scroller = useScrollHint()
  const greatest = levels.reduce((most, { count }) => Math.max(most, count), 0)
  const chosen = view.kind === 'table' ? view.level : undefined
  const [focused, setFocused] = useState<Level>()
  const [extent, setExtent] = useState(first)
  const isPrinting = useIsPrinting()
  const options: { level: Level; count: number; label: string }[] = [
    { level: 'all', count: total, label: t('referrals.all') },
    ...levels
      .filter(({ level }) => isPrinting || level <= extent || level === chosen)
      .map(({ level, count }) => ({ level, count, label: t('level', { level }) })),
  ]
  const isMissing = levels.length < Math.min(all, extent)
  const next = isMissing ? extent : extent + levelsAtOnce
  const showMore = () => {
    flushSync(() => setExtent(next))
    // After all levels, which is the first button.
    if (!isMissing) scroller.current?.querySelectorAll('button')[extent + 1]?.focus()
    if (levels.length < Math.min(all, next)) more.load()
  }
  const hidden = all + 1 - options.length
  const text = useMoreText(more.state, t('levels.more', { number: format.count(Math.min(levelsAtOnce, hidden)) }))
  const stop = [focused, chosen].find((wanted) => options.some(({ level }) => level === wanted)) ?? 'all'
  const bars = options.map(({ level, count, label }) => (
    <button
      key={level}
      type="button"
      aria-pressed={level === chosen}
      tabIndex={level === stop ? 0 : -1}
      onFocus={() => setFocused(level)}
      onClick={() => onLevel(level)}
    >
      <span className="bar" aria-hidden>
        {level !== 'all' && <i style={{ height: `${(count / greatest) * 100}%` }} />}
      </span>
      <small>{label}</small>
      <b>{format.big(count)}</b>
    </button>
  ))
  const rest = (
    <button key="more" type="button" tabIndex={-1} {...busyButtonProps(more.state === 'loading', showMore)}>
      <span className="bar" aria-hidden />
      <small>{text}</small>
    </button>
  )
  // Where levels are left out: before the chosen one, if that does not follow the others.
  const [before, last] = options.slice(-2)
  const place = last?.level === chosen && before?.level !== Number(chosen) - 1 ? -1 : bars.length
  if (hidden > 0) bars.splice(place, 0, rest)
  return (
    <Root ref={scroller} role="toolbar" aria-label={t('referrals.levels')} onKeyDown={moveFocus}>
      {bars}
      {isPrinting && hidden > 0 && <span>{`${format.count(options.length - 1)} / ${format.count(all)}`}</span>}
    </Root>
  )
}

/** Moves the focus to another button of a toolbar: one on, one back, to the first or the last. */
function moveFocus(event: KeyboardEvent<HTMLElement>): void {
  const buttons = [...event.currentTarget.querySelectorAll('button')]
  const at = buttons.indexOf(event.target as HTMLButtonElement)
  const to = { ArrowLeft: at - 1, ArrowRight: at + 1, Home: 0, End: buttons.length - 1 }[event.key]
  if (at < 0 || to === undefined) return
  event.preventDefault()
  buttons[to]?.focus()
}

const Root = styled('div')(({ theme }) => ({
  display: 'flex',
  alignItems: 'flex-start',
  // No button with the focus lies below a faded edge.
  scrollPaddingInline: 64,
  margin: '0 -20px 20px',
  padding: '4px 20px 8px',
  overflowX: 'auto',
  scrollbarWidth: 'none',
  '&[data-more~="before"]': { maskImage: 'linear-gradient(to right, transparent, #000 64px)' },
  '&[data-more~="after"]': { maskImage: 'linear-gradient(to left, transparent, #000 64px)' },
  '&[data-more="before after"]': {
    maskImage: 'linear-gradient(to right, transparent, #000 64px, #000 calc(100% - 64px), transparent)',
  },
  '& button': {
    flex: '1 0 4rem',
    maxWidth: '5.75rem',
    padding: '0 4px 6px 0',
    border: 0,
    borderBottom: '2px solid transparent',
    background: 'none',
    color: 'inherit',
    font: 'inherit',
    fontSize: '0.8125rem',
    textAlign: 'left',
    cursor: 'pointer',
    '&[aria-pressed="true"]': { borderColor: theme.vars?.palette.primary.main },
    '&:not([aria-pressed])': {
      flexShrink: 0,
      maxWidth: 'none',
      paddingRight: 16,
      color: theme.vars?.palette.primary.main,
    },
    '@media (forced-colors: active)': {
      borderColor: 'Canvas',
      '&[aria-pressed="true"]': { borderColor: 'Highlight' },
    },
    '&:hover i, &[aria-pressed="true"] i': { background: theme.vars?.palette.primary.main },
  },
  '& .bar': {
    display: 'flex',
    alignItems: 'flex-end',
    height: 44,
    marginBottom: 6,
    marginRight: -4,
    borderBottom: `1px solid ${theme.vars?.palette.divider}`,
  },
  '& i': {
    width: 28,
    minHeight: 1,
    background: `color-mix(in srgb, ${theme.vars?.palette.text.primary} 78%, transparent)`,
    printColorAdjust: 'exact',
    transition: 'background 160ms ease-out',
  },
  '& small': { display: 'block', fontSize: '0.75rem', whiteSpace: 'nowrap' },
  '& [aria-pressed] small': { color: theme.vars?.palette.text.secondary },
  // Print cannot be scrolled.
  '@media print': { '&&&': { flexWrap: 'wrap', rowGap: 12, overflow: 'visible', maskImage: 'none' } },
  '& b': { fontWeight: 400 },
}))

/** Sets `data-more` on a horizontally scrolling row to the sides with hidden content, and scrolls the pressed item into view. */
function useScrollHint() {
  const row = useRef<HTMLDivElement>(null)

  useEffect(() => {
    const element = row.current
    if (!element) return
    const mark = () => {
      const { scrollLeft, scrollWidth, clientWidth } = element
      const before = scrollLeft > 8 ? ['before'] : []
      const after = scrollWidth - clientWidth - scrollLeft > 8 ? ['after'] : []
      element.dataset.more = [...before, ...after].join(' ')
    }
    const pressed = element.querySelector<HTMLElement>('[aria-pressed="true"]')
    if (pressed) element.scrollLeft = pressed.offsetLeft - (element.clientWidth - pressed.offsetWidth) / 2
    const observer = new ResizeObserver(mark)
    observer.observe(element)
    element.addEventListener('scroll', mark, { passive: true })
    return () => {
      observer.disconnect()
      element.removeEventListener('scroll', mark)
    }
  }, [])

  return row
}
