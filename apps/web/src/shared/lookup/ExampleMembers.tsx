import type { Community, Metrics } from '@lineage/referral-api'
import { Identicon } from '@lineage/wallet-kit'
import { styled } from '@mui/material/styles'
import { Fragment } from 'react'
import { useSearchParams } from 'react-router-dom'
import { refreshEvery, useAnswer } from '../../lib/api.ts'
import { useFormat } from '../../lib/format.ts'
import { useTranslation } from '../../lib/i18n.ts'
import { filledNode, fonts, largeText, lineNode } from '../../lib/theme.ts'
import { type LookupName, lookupPath } from '../../paths.ts'
import { shorten } from '../address/parseAddress.ts'
import { Link } from '../frame/Link.tsx'

/** Links a lookup of each leading member of the demo. */
export default function ExampleMembers({ community, name }: { community: Community; name: LookupName }) {
  const { t } = useTranslation()
  const format = useFormat()
  const [parameters] = useSearchParams()
  const { data = [] } = useExamples(community.id)
  const token = community.tokens.volume
  return (
    <Root>
      <h2>{t('opening.examples')}</h2>
      <ul>
        {data.map(({ leader, by }) => (
          <li key={leader.address}>
            <Link to={lookupPath(name, parameters, { address: leader.address })}>
              <Identicon address={leader.address} size={20} />
              <code>{shorten(leader.address)}</code>
              {by.map((one) => (
                <Fragment key={one}>
                  <span>{t(`opening.${one}`)}</span>
                  <b>
                    {one === 'volume'
                      ? token && format.amountWithUnit(leader.teamVolume, token)
                      : t('people', { count: leader[one], number: format.count(leader[one]) })}
                  </b>
                </Fragment>
              ))}
            </Link>
          </li>
        ))}
      </ul>
    </Root>
  )
}

const Root = styled('section')(({ theme }) => ({
  maxWidth: 520,
  '& h2': { margin: '0 0 8px', fontSize: '0.8125rem', fontWeight: 400, color: theme.vars?.palette.text.secondary },
  // The line to the next member.
  '& li': {
    position: 'relative',
    '&:not(:last-child)::before': {
      content: '""',
      position: 'absolute',
      left: 4,
      top: 26,
      bottom: -26,
      width: 1,
      background: `color-mix(in srgb, ${theme.vars?.palette.text.primary} 30%, transparent)`,
    },
  },
  '& a': {
    position: 'relative',
    display: 'grid',
    gridTemplateColumns: 'auto 20px auto 1fr auto',
    gridTemplateRows: 'minmax(52px, auto)',
    alignItems: 'center',
    gap: '0 12px',
    color: 'inherit',
    textDecoration: 'none',
    fontSize: '0.875rem',
    '&::before': {
      ...lineNode,
      marginRight: 12,
      transition: 'background 160ms ease-out, border-color 160ms ease-out',
    },
    '&:hover::before, &:focus-visible::before': filledNode,
    '&:hover code': { textDecoration: 'underline', textUnderlineOffset: 4 },
  },
  '& code, & b': { fontFamily: fonts.address, whiteSpace: 'nowrap' },
  '& span': { gridColumn: 4, minWidth: 0, color: theme.vars?.palette.text.secondary },
  '& b': { gridColumn: 5, fontFamily: 'inherit', fontWeight: 400, textAlign: 'end' },
  // The second label of a member is close below the first.
  '& b ~ span, & b ~ b': { marginTop: -10, paddingBottom: 14 },
  '@media (max-width: 479.95px)': {
    '& li:not(:last-child)::before': { top: 22, bottom: -22 },
    '& a': { gridTemplateColumns: 'auto 20px 1fr auto', gridTemplateRows: '36px', padding: '4px 0' },
    '& code': { gridColumn: '3 / -1' },
    '& span': { gridColumn: 3, fontSize: '0.8125rem' },
    '& b': { gridColumn: 4 },
    '& b ~ span, & b ~ b': { margin: 0, padding: 0 },
  },
  [largeText]: { '& span, & b': { gridColumn: '3 / -1', textAlign: 'start', whiteSpace: 'normal' } },
}))

/** Loads the examples of a community. Only they are kept of its metrics, so that a page does not contain all of them. */
function useExamples(community: string) {
  const tz = useFormat().timeZone
  return useAnswer(
    [community, 'examples'],
    async (api, signal) => toExamples(await api.metrics(community, { tz, series: 'members', depthTo: 0, signal })),
    { refetchInterval: refreshEvery(30_000) },
  )
}

type By = 'team' | 'directs' | 'volume'
export type Example = { leader: Metrics['leaders'][By][number]; by: By[] }

/** Picks the leaders by team, directs and volume; a member who leads in several appears once, with all of them. */
export function toExamples({ leaders }: Pick<Metrics, 'leaders'>): Example[] {
  const examples: Example[] = []
  for (const by of ['team', 'directs', 'volume'] as const) {
    const [leader] = leaders[by]
    const known = examples.find((example) => example.leader.address === leader?.address)
    if (known) known.by.push(by)
    else if (leader) examples.push({ leader, by: [by] })
  }
  return examples
}
