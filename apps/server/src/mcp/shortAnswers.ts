import type { Metrics, TeamMap } from '@lineage/referral-api'
import type { Tool } from './tools.ts'

/** Answers without their long lists, for agents, who read all that they get. */
export const shortAnswers: { [name in Tool['name']]?: (answer: never) => object } = {
  metrics: ({ series: _, depths: __, directsHistogram: ___, ...totals }: Metrics) => totals,
  // Each item counts all that is below it, so nothing is missing in the sums.
  map: ({ items, ...map }: TeamMap) => ({
    ...map,
    items: items.filter(({ parent }) => parent === null).map(withoutRest),
  }),
  teamMap: ({ items: [top, ...legs], ...map }: TeamMap) => ({
    ...map,
    items: [...(top ? [top] : []), ...legs.filter(({ parent }) => parent === 0).map(withoutRest)],
  }),
}

const withoutRest = ({ rest: _, ...item }: TeamMap['items'][number]) => item
