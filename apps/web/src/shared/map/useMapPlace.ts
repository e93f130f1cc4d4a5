import type { Address } from '@lineage/referral-api'
import { useSearchParams } from 'react-router-dom'
import { parseAddress } from '../address/parseAddress.ts'
import type { MapData } from './layoutMap.ts'

type By = MapData['by']
export type MapPlace = {
  /** The zoomed leg; `undefined` for the whole map. */
  leg: Address | undefined
  by: By
  /** Returns the query of the link to a leg, or to the whole map. */
  linkTo: (leg: Address | undefined) => string
  zoom: (leg: Address | undefined) => void
  measure: (by: By) => void
}

/** Returns the position in the map from the URL, and a function that changes it. Back leaves a leg again. */
export function useMapPlace(top: Address | undefined, measures: 'members' | 'both'): MapPlace {
  const [parameters, setParameters] = useSearchParams()
  const parsed = parseAddress(parameters.get('leg') ?? '')
  const leg = parsed.kind === 'valid' && parsed.address !== top ? parsed.address : undefined
  const next = (name: 'leg' | 'by', value: string | undefined) => {
    const changed = new URLSearchParams(parameters)
    if (value === undefined) changed.delete(name)
    else changed.set(name, value)
    return changed
  }
  const toLeg = (to: Address | undefined) => next('leg', to === top ? undefined : to)
  return {
    leg,
    by: measures === 'both' && parameters.get('by') === 'volume' ? 'volume' : 'members',
    linkTo: (to) => `?${toLeg(to)}`,
    zoom: (to) => setParameters(toLeg(to), { preventScrollReset: true }),
    measure: (by) => setParameters(next('by', by === 'volume' ? by : undefined), { replace: true }),
  }
}
