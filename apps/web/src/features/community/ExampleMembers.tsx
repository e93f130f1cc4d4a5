import type { Community } from '@lineage/referral-api'
import { Identicon } from '@lineage/wallet-kit'
import { styled } from '@mui/material/styles'
import { useTranslation } from 'react-i18next'
import { Link, useSearchParams } from 'react-router-dom'
import { fonts, largeText } from '../../lib/theme.ts'
import { useFormat } from '../../lib/useFormat.ts'
import { lookupPath } from '../../paths.ts'
import { shorten } from '../../shared/address/parseAddress.ts'
import { useMetrics } from '../../shared/lookup/queries.ts'
import { toExamples } from './toExamples.ts'

/** Links to a few members of the demo. */
export function ExampleMembers({ community }: { community: Community }) {
  const { t } = useTranslation()
  const format = useFormat()
  const [parameters] = useSearchParams()
  const { data } = useMetrics(community.id, 30_000)
  const token = community.tokens.volume
  return (
    <Root>
      <h2>{t('opening.examples')}</h2>
      <ul>
        {(data ? toExamples(data) : []).map(({ by, leader }) => (
          <li key={by}>
            <Link to={lookupPath('community', parameters, { address: leader.address })}>
              <Identicon address={leader.address} size={20} />
              <code>{shorten(leader.address)}</code>
              <span>{t(`opening.${by}`)}</span>
              <b>
                {by === 'volume'
                  ? token && format.amountWithUnit(leader.teamVolume, token)
                  : t('people', { count: leader[by], number: format.count(leader[by]) })}
              </b>
            </Link>
          </li>
        ))}
      </ul>
    </Root>
  )
}

const Root = styled('section')(({ theme }) => ({
  marginTop: 40,
  minHeight: 216,
  maxWidth: 520,
  '& h2': { margin: '0 0 8px', fontSize: '0.8125rem', fontWeight: 400, color: theme.vars?.palette.text.secondary },
  '& ul': {
    position: 'relative',
    margin: 0,
    padding: 0,
    listStyle: 'none',
    '&::before': {
      content: '""',
      position: 'absolute',
      left: 4,
      top: 26,
      bottom: 26,
      width: 1,
      background: `color-mix(in srgb, ${theme.vars?.palette.text.primary} 30%, transparent)`,
    },
  },
  '& a': {
    position: 'relative',
    display: 'flex',
    alignItems: 'center',
    gap: 12,
    minHeight: 52,
    color: 'inherit',
    textDecoration: 'none',
    fontSize: '0.875rem',
    '&::before': {
      content: '""',
      flex: 'none',
      width: 9,
      height: 9,
      marginRight: 12,
      borderRadius: '50%',
      boxSizing: 'border-box',
      border: `1.5px solid ${theme.vars?.palette.text.primary}`,
      background: theme.vars?.palette.background.default,
      transition: 'background 160ms ease-out, border-color 160ms ease-out',
    },
    '&:hover::before, &:focus-visible::before': {
      background: theme.vars?.palette.primary.main,
      borderColor: theme.vars?.palette.primary.main,
    },
    '&:hover code': { textDecoration: 'underline', textUnderlineOffset: 4 },
  },
  '& code, & b': { flex: 'none', fontFamily: fonts.address, whiteSpace: 'nowrap' },
  '& span': { flex: 1, minWidth: 0, color: theme.vars?.palette.text.secondary },
  '& b': { fontFamily: 'inherit', fontWeight: 400 },
  '@media (max-width: 479.95px)': {
    '& ul::before': { top: 32, bottom: 32 },
    '& a': { display: 'grid', gridTemplateColumns: 'auto 20px 1fr auto', gap: '0 12px', minHeight: 64 },
    '& a::before': { gridRow: '1 / 3' },
    '& code, & b': { alignSelf: 'end' },
    '& svg': { gridRow: '1 / 3' },
    '& span': { gridColumn: '3 / -1', gridRow: 2, alignSelf: 'start', fontSize: '0.8125rem' },
  },
  [largeText]: { '& b': { gridArea: '3 / 3 / auto / -1', whiteSpace: 'normal' } },
}))
