import type { Community, ReferralApiError } from '@lineage/referral-api'
import { styled } from '@mui/material/styles'
import { useEffect, useRef, useState } from 'react'
import { useFormat } from '../../lib/format.ts'
import { useLazyTranslation, useTranslation } from '../../lib/i18n.ts'
import { Announced } from '../../shared/frame/Announcer.tsx'
import { Button } from '../../shared/frame/Button.tsx'
import { TextButton } from '../../shared/frame/controls.tsx'
import { useLoadKit } from '../../shared/frame/KitProvider.tsx'
import { type Failure, titleOf, toFailure } from '../../shared/lookup/failure.ts'
import { ProgressLine } from '../../shared/lookup/ProgressLine.tsx'
import type { Progress } from './checkHops.ts'
import type { ReadLinks } from './query.ts'

export type { Hop } from './query.ts'

export type CheckState = Progress & {
  /** `absent`: the contract has no view function for referrers. */
  state: 'absent' | 'idle' | 'reading' | 'stopped' | 'done'
  /** Reason that the check failed. */
  failure?: Failure
}
export type Check = CheckState & {
  /** Starts the check, or resumes a stopped one. */
  run: () => void
  stop: () => void
}

const begin = (): CheckState => ({
  state: 'idle',
  checked: 0,
  hops: new Map(),
  differs: [],
  unreadable: [],
  answeredBy: 'nodes',
})

/** Checks each hop of a line against the contract, without our index. */
export function useOnChainCheck(community: Community, readLinks: ReadLinks): Check {
  const loadKit = useLoadKit()
  const [check, setCheck] = useState(begin)
  const running = useRef<AbortController>(undefined)
  useEffect(() => () => running.current?.abort(), [])

  async function run() {
    const { parent } = community
    if (parent === null) return
    running.current?.abort()
    const ended = new AbortController()
    running.current = ended
    const { signal } = ended
    const { failure: _, ...progress } = check.state === 'stopped' ? check : begin()
    // Updated in place: an upline may have a hundred thousand hops.
    const show = (now: Pick<CheckState, 'state' | 'failure'>) => signal.aborted || setCheck({ ...progress, ...now })
    show({ state: 'reading' })
    try {
      const [kit, { checkHops }] = await Promise.all([loadKit(), import('./checkHops.ts')])
      const outcome = await checkHops({
        client: kit.getClient(),
        parent,
        readLinks,
        progress,
        onProgress: () => show({ state: 'reading' }),
        signal,
      })
      show(outcome === 'done' ? { state: 'done' } : { state: 'stopped', failure: { kind: 'nodes' } })
    } catch (error) {
      show({ state: 'stopped', failure: toFailure(error as ReferralApiError) })
    }
  }
  return {
    ...check,
    state: community.parent === null ? 'absent' : check.state,
    run: () => void run(),
    stop() {
      running.current?.abort()
      setCheck((now) => ({ ...now, state: 'stopped' }))
    },
  }
}

/** Renders the button that starts, stops and resumes the check on chain. */
export function OnChainCheck({ check }: { check: Check }) {
  const { t } = useLazyTranslation('upline')
  const { state, run, stop } = check
  if (state === 'absent') return null
  const [text, act] = {
    idle: ['check.start', run] as const,
    reading: ['check.stop', stop] as const,
    stopped: ['check.resume', run] as const,
    done: ['check.again', run] as const,
  }[state]
  return (
    <Button size="small" variant="outlined" title={t('check.text')} onClick={act}>
      {t(text)}
    </Button>
  )
}

/** Returns whether a check has found nothing but hops that agree, so far. */
export const isCalm = ({ differs, unreadable, failure }: CheckState): boolean =>
  differs.length === 0 && unreadable.length === 0 && !failure

/** Sums up a check in a few words, for the header. */
export function CheckSummary({ check }: { check: CheckState }) {
  const { t } = useLazyTranslation('upline')
  const format = useFormat()
  const { state, differs, unreadable } = check
  if (state === 'absent' || state === 'stopped') return null
  const text =
    state !== 'done'
      ? t('check.running')
      : differs.length > 0
        ? t('check.someDiffer', { count: differs.length, number: format.count(differs.length) })
        : t(unreadable.length > 0 ? 'check.someUnreadable' : 'check.allAgree')
  return (
    <span className={state === 'done' && differs.length > 0 ? 'attention' : undefined}>
      <span>{' · '}</span>
      <Announced>{text}</Announced>
    </span>
  )
}

type OutcomeProps = {
  check: CheckState
  /** Number of members to check. */
  total: number
  /** Shows the button to the next row that differs. */
  onRow?: (row: number) => void
  /** Row of the last jump. */
  at?: number | undefined
}

/** Shows the progress and the result of the check. */
export function CheckOutcome({ check, total, onRow, at }: OutcomeProps) {
  const { t } = useLazyTranslation('upline')
  const { t: common } = useTranslation()
  const format = useFormat()
  const { state, checked, differs, unreadable, answeredBy, failure } = check
  const isOver = state === 'done' || state === 'stopped'
  const counts = { checked: format.count(checked), total: format.count(total) }
  const found = differs.length > 0 ? differs : unreadable
  const next = found.find((row) => row > (at ?? -1)) ?? found[0]
  return (
    <Root data-state={differs.length > 0 ? 'differs' : 'calm'}>
      {state === 'reading' && checked > 0 && (
        <ProgressLine label={t('check.progress', counts)} part={checked / total} />
      )}
      {state === 'reading' && <p>{t('check.progress', counts)}</p>}
      <p>
        {isOver && (
          <Announced>
            {failure && <span>{`${common(titleOf(failure))}${t('check.outcome.end')} `}</span>}
            {state === 'stopped' && <span>{t('check.stopped')}</span>}
            <span>
              {t('check.outcome', {
                count: checked,
                checked: counts.checked,
                agrees: format.count(checked - differs.length - unreadable.length),
              })}
            </span>
            {differs.length > 0 && (
              <span>
                {t('check.outcome.differs', { count: differs.length, differs: format.count(differs.length) })}
              </span>
            )}
            {unreadable.length > 0 && (
              <span>{t('check.outcome.unreadable', { unreadable: format.count(unreadable.length) })}</span>
            )}
            <span>{t('check.outcome.end')}</span>
            {answeredBy === 'server' && <small>{` ${t('check.server')}`}</small>}
          </Announced>
        )}
      </p>
      {onRow && next !== undefined && total > shownAtOnce && (
        <TextButton type="button" onClick={() => onRow(next)}>
          {t(differs.length > 0 ? 'check.next' : 'check.nextUnreadable')}
        </TextButton>
      )}
    </Root>
  )
}

/** Number of rows from which the button to the next difference is shown. In fewer rows all differences are in view. */
const shownAtOnce = 12

const Root = styled('div')(({ theme }) => ({
  fontSize: '0.8125rem',
  '& p': { margin: 0, paddingBottom: 14, '&:empty': { display: 'none' } },
  '& > button': { margin: '-14px 0 6px' },
  '& [role="progressbar"]': { margin: '12px 4px 14px 0' },
  '&[data-state="differs"] p:last-of-type': { color: theme.vars?.palette.error.main },
  '& p small': { fontSize: 'inherit', color: theme.vars?.palette.text.secondary },
}))
