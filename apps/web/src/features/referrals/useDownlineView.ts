import type { ReferralsFilter, Token } from '@lineage/referral-api'
import { useCallback, useRef, useState } from 'react'
import { useSearchParams } from 'react-router-dom'
import { unusedParameters } from '../../parameters.ts'
import { type Changes, withChanges } from '../../paths.ts'
import { type AmountDays, readTexts, toAmountDays, toFilter } from './downlineFilter.ts'
import type { Level, Order, Sort } from './query.ts'

const sorts: readonly string[] = ['joined', 'team', 'volume'] satisfies Sort[]
const sortsOfDays: readonly string[] = ['joined', 'periodVolume', 'periodRewards'] satisfies Sort[]

export type DownlineView =
  | { kind: 'tree' }
  | { kind: 'map' }
  | { kind: 'table'; level: Level; sort: Sort; order: Order; filter?: ReferralsFilter; days?: AmountDays }

/** Changes parameters of the URL. */
export type Change = (changes: Changes) => void

/**
 * Returns the view of the downline from the URL, and a function that changes it. A `level`, a filter or days show the
 * table; otherwise `view=map` shows the map.
 */
export function useDownlineView(token: Token | null): [DownlineView, Change] {
  const [parameters, setParameters] = useSearchParams()
  const change = useCallback(
    (changes: Changes) =>
      setParameters(
        (current) => {
          const next = withChanges(current, changes)
          // An order that only the removed filter allowed would be reported as one without effect.
          const isUnused = unusedParameters('referrals', next).includes('sort')
          return isUnused ? withChanges(next, { sort: null, order: null }) : next
        },
        { replace: true },
      ),
    [setParameters],
  )
  return [toDownlineView(parameters, token), change]
}

/** Returns the props of the button that opens the form of the filters, and those of the panel with it. */
export function useFilterForm() {
  const [form, setForm] = useState<'closed' | 'open'>('closed')
  const button = useRef<HTMLButtonElement>(null)
  return {
    close: () => setForm('closed'),
    button: {
      ref: button,
      size: 'small',
      variant: 'outlined',
      'aria-expanded': form === 'open',
      onClick: () => setForm(form === 'open' ? 'closed' : 'open'),
    },
    panel: {
      form,
      onClose() {
        setForm('closed')
        button.current?.focus()
      },
    },
  } as const
}

/** Parses the URL; invalid values count as absent. */
export function toDownlineView(parameters: URLSearchParams, token: Token | null): DownlineView {
  const asked = parameters.get('level') ?? ''
  const texts = readTexts(parameters)
  const all = toFilter(texts, token)
  const days = toAmountDays(texts)
  const isLevel = /^([1-9]\d{0,5}|all)$/.test(asked)
  if (!isLevel && !all && !days) return { kind: parameters.get('view') === 'map' ? 'map' : 'tree' }
  const level = isLevel && asked !== 'all' ? Number(asked) : 'all'
  const filter = level === 'all' ? all : withoutLevels(all)
  const by = parameters.get('sort') ?? ''
  // Without a filter the whole downline can be sorted by join time only, or by the amounts of days.
  const sortable = days ? sortsOfDays : level !== 'all' || filter ? sorts : []
  const sort = sortable.includes(by) ? (by as Sort) : days && token ? 'periodVolume' : 'joined'
  const given = parameters.get('order')
  const order = given === 'asc' || given === 'desc' ? given : sort === 'joined' ? 'asc' : 'desc'
  return { kind: 'table', level, sort, order, ...(filter && { filter }), ...(days && { days }) }
}

/** Removes the levels from a filter, because one level is shown. */
function withoutLevels(filter: ReferralsFilter | undefined): ReferralsFilter | undefined {
  const { levelFrom: _, levelTo: __, ...rest } = filter ?? {}
  return Object.keys(rest).length > 0 ? rest : undefined
}
