import type { Address } from '@lineage/referral-api'
import { styled } from '@mui/material/styles'
import { Fragment, type ReactNode } from 'react'
import { useFormat } from '../../lib/format.ts'
import { useLazyTranslation } from '../../lib/i18n.ts'
import { fonts } from '../../lib/theme.ts'
import { shorten } from '../address/parseAddress.ts'
import { Link } from '../frame/Link.tsx'
import { useLabels } from '../labels/labelsStore.ts'
import type { MapPlace, Trail } from './query.ts'

/** Number of referrers shown above the leg. Those above them are only counted. */
const shown = 2

type Props = { top: Address | undefined; place: MapPlace; trail: Trail | undefined }

/** Shows the path from the top of the map to the zoomed leg; each step is a link. */
export function MapTrail({ top, place: { leg, linkTo }, trail }: Props) {
  const { t } = useLazyTranslation('map')
  const format = useFormat()
  const labels = useLabels((state) => state.labels)
  const nameOf = (address: Address) => labels.get(address)?.text || <code>{shorten(address)}</code>
  const start = top === undefined ? t('all') : nameOf(top)
  const above = trail?.above ?? []
  const skipped = above.length - shown
  const step = (content: ReactNode, to: Address | undefined) => (
    <li>
      <Link to={linkTo(to)}>{content}</Link>
    </li>
  )
  return (
    <Root aria-label={t('trail')}>
      <ol>
        {leg ? step(start, undefined) : <li aria-current="true">{start}</li>}
        {leg && skipped > 0 && <li>{trail?.extent === 'cut' ? '…' : t('more', { number: format.count(skipped) })}</li>}
        {leg &&
          above.slice(-shown).map((address) => <Fragment key={address}>{step(nameOf(address), address)}</Fragment>)}
        {leg && <li aria-current="true">{nameOf(leg)}</li>}
      </ol>
    </Root>
  )
}

const Root = styled('nav')(({ theme }) => ({
  fontSize: '0.8125rem',
  '& ol': { display: 'flex', flexWrap: 'wrap' },
  '& li': { display: 'inline-flex', alignItems: 'center', minHeight: 36, color: theme.vars?.palette.text.secondary },
  '& li + li::before': { content: '"›" / ""', margin: '0 8px' },
  '& a': { display: 'inline-flex', alignItems: 'center', minHeight: 36, color: theme.vars?.palette.primary.main },
  '& a:not(:hover)': { textDecoration: 'none' },
  '& li[aria-current]': { color: theme.vars?.palette.text.primary },
  '& code': { fontFamily: fonts.address },
}))
