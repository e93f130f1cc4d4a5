import type { Community } from '@lineage/referral-api'
import { useMemo } from 'react'
import { type Format, shareOf, useFormat } from '../../lib/format.ts'
import { useLazyTranslation, useTranslation } from '../../lib/i18n.ts'
import { shorten } from '../address/parseAddress.ts'
import { type LabelsState, useLabels } from '../labels/labelsStore.ts'
import { type Cell, growthOf, type MapData, type Part } from './layoutMap.ts'

/** Functions that return the texts of a cell, both visible and for screen readers. */
export type CellTexts = ReturnType<typeof useCellTexts>

/** Texts that a cell has room for. */
export type Seen = { name: string | undefined; line: string | undefined }

type Translate = ReturnType<typeof useLazyTranslation<'map'>>['t']
type Parts = {
  t: Translate
  generation: (level: number) => string
  format: Format
  labels: LabelsState['labels']
  community: Community
  by: MapData['by']
  whole: Part | undefined
  name: string
}

/** Returns the functions that format the texts of a map's cells. `name` is the name of the top of a community's map. */
export function useCellTexts(community: Community, by: MapData['by'], whole: Part | undefined, name: string) {
  const { t } = useLazyTranslation('map')
  const { t: tApp } = useTranslation()
  const format = useFormat()
  const labels = useLabels((state) => state.labels)
  return useMemo(() => {
    const generation = (level: number) => (level === 0 ? '' : tApp('level', { level }))
    return createCellTexts({ t, generation, format, labels, community, by, whole, name })
  }, [t, tApp, format, labels, community, by, whole, name])
}

function createCellTexts({ t, generation, format, labels, community, by, whole, name }: Parts) {
  const token = community.tokens.volume
  const percent = new Intl.NumberFormat(format.locale, { style: 'percent', maximumFractionDigits: 0 })
  const shares = new Intl.NumberFormat(format.locale, { style: 'percent', maximumSignificantDigits: 2 })

  /** Returns the name without the user's private label. */
  const plainName = (part: Part) => {
    if (part.kind === 'leg') return shorten(part.address)
    return part.kind === 'rest' ? t('rest', { count: part.legs, number: format.big(part.legs) }) : name
  }
  const nameOf = (part: Part) => (part.kind === 'leg' ? labels.get(part.address)?.text : undefined) || plainName(part)
  const people = ({ members }: Part) => t('people', { count: members, number: format.big(members) })
  const volume = (part: Part) => (token ? format.amountWithUnit(part.volume, token) : '')
  const growth = (part: Part) => {
    const value = growthOf(part)
    if (value === 0) return ''
    return value === Number.POSITIVE_INFINITY ? t('allNew') : `+${percent.format(value)}`
  }
  const growthSentence = (part: Part) =>
    part.recent === 0 ? t('growthNone') : t('growthOf', { number: format.big(part.recent), growth: growth(part) })
  const sizeOf = (part: Part) => (by === 'members' ? String(part.members) : part.volume)
  const share = (part: Part) =>
    whole ? t('share', { share: shares.format(shareOf(sizeOf(part), sizeOf(whole))) }) : ''
  const facts = ({ part, level }: Cell) =>
    [generation(level), people(part), volume(part), level > 0 ? share(part) : '', growthSentence(part)].filter(Boolean)

  return {
    plainName,
    nameOf,
    facts,
    generation,
    /** Returns the possible second lines of a cell, the longest first. */
    lines(part: Part): string[] {
      const size = by === 'members' ? people(part) : volume(part)
      const short = by === 'members' ? format.tick(part.members) : volume(part)
      const grown = growth(part)
      return [grown && `${size} · ${grown}`, size, short].filter(Boolean)
    },
    /** Returns the accessible name: the visible texts of the cell, then its other facts. */
    aloud(cell: Cell, { name: seenName = nameOf(cell.part), line = '' }: Seen): string {
      const others = facts(cell).filter((fact) => !line.includes(fact))
      return [`${seenName} ${line}`.trim(), ...others].join(', ')
    },
  }
}
