import { useCallback } from 'react'
import { useSearchParams } from 'react-router-dom'
import type { Level, Order, Sort } from './query.ts'

const sorts: readonly string[] = ['joined', 'team', 'volume'] satisfies Sort[]

export type DownlineView = { kind: 'tree' } | { kind: 'table'; level: Level; sort: Sort; order: Order }

/** Returns the view of the downline from the URL, and a function that changes it. A `level` means the table. */
export function useDownlineView(): [
  DownlineView,
  (changes: Partial<Record<'level' | 'sort' | 'order', string | null>>) => void,
] {
  const [parameters, setParameters] = useSearchParams()
  const change = useCallback(
    (changes: Partial<Record<'level' | 'sort' | 'order', string | null>>) =>
      setParameters(
        (current) => {
          const next = new URLSearchParams(current)
          for (const [key, value] of Object.entries(changes)) {
            if (value === null) next.delete(key)
            else next.set(key, value)
          }
          return next
        },
        { replace: true },
      ),
    [setParameters],
  )
  return [toDownlineView(parameters), change]
}

/** Parses the URL; invalid values count as absent. */
export function toDownlineView(parameters: URLSearchParams): DownlineView {
  const level = parameters.get('level')
  if (level === null || !/^([1-9]\d{0,5}|all)$/.test(level)) return { kind: 'tree' }
  const asked = parameters.get('sort') ?? ''
  // The whole downline can be sorted by join time only.
  const sort = level !== 'all' && sorts.includes(asked) ? (asked as Sort) : 'joined'
  const order = parameters.get('order')
  return {
    kind: 'table',
    level: level === 'all' ? 'all' : Number(level),
    sort,
    order: order === 'asc' || order === 'desc' ? order : sort === 'joined' ? 'asc' : 'desc',
  }
}
