import type { Address, Alert, Token } from '@lineage/referral-api'
import { nameIn } from '@lineage/referral-api'
import { styled } from '@mui/material/styles'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router-dom'
import { useLazyTranslation } from '../../lib/i18n.ts'
import { useFormat } from '../../lib/useFormat.ts'
import { paths } from '../../paths.ts'
import { shorten } from '../address/parseAddress.ts'
import { useLabels } from '../labels/labelsStore.ts'
import { useCommunities } from '../lookup/useCommunity.ts'

type Props = { alert: Alert; state: 'unread' | 'read'; onFollow: () => void }

/** Shows an alert: its kind, its time, and its text as a link to the member. */
export function AlertRow({ alert, state, onFollow }: Props) {
  const { t } = useLazyTranslation('alerts')
  const { i18n } = useTranslation()
  const format = useFormat()
  const nameOf = useNameOf()
  const community = useCommunities().data?.items.find(({ id }) => id === alert.community)
  const text = t(`text.${alert.kind}`, {
    member: nameOf(alert.member),
    address: nameOf(alert.address),
    referrer: nameOf(alert.referrer),
    from: nameOf(alert.from),
    amount: alert.amount === null ? '' : toAmount(alert.amount, community?.tokens.volume ?? null, format),
    count: alert.members ?? 0,
    webhook: alert.webhook ?? '',
    // React escapes the values.
    interpolation: { escapeValue: false },
  })
  const shown = alert.member ?? alert.address
  const to = `${paths.community}?${new URLSearchParams({ community: alert.community ?? '', address: shown ?? '' })}`
  return (
    <Row data-retracted={alert.isRetracted}>
      <small>
        {state === 'unread' && <i role="img" aria-label={t('unread')} />}
        <b>{t(`kind.${alert.kind}`)}</b>
        {community && <span>{nameIn(community.name, i18n.language)}</span>}
        <time dateTime={new Date(alert.time * 1_000).toISOString()} title={format.moment(alert.time)}>
          {format.ago(alert.time)}
        </time>
      </small>
      {shown && alert.community ? (
        <Link to={to} onClick={onFollow}>
          {text}
        </Link>
      ) : (
        <p>{text}</p>
      )}
      {alert.isRetracted && <em>{t('taken.back')}</em>}
    </Row>
  )
}

function toAmount(amount: string, token: Token | null, format: ReturnType<typeof useFormat>): string {
  return token ? format.amountWithUnit(amount, token) : amount
}

/** Returns a function that returns the label of an address, or else its short form. */
export function useNameOf(): (address: string | null) => string {
  const { t } = useLazyTranslation('alerts')
  const labels = useLabels((state) => state.labels)
  return (address) =>
    address === null ? t('none') : labels.get(address as Address)?.text || shorten(address as Address)
}

const Row = styled('li')(({ theme }) => ({
  padding: '10px 0',
  borderBottom: `1px solid ${theme.vars?.palette.divider}`,
  '& small': {
    display: 'flex',
    flexWrap: 'wrap',
    alignItems: 'center',
    gap: '0 12px',
    fontSize: '0.8125rem',
    color: theme.vars?.palette.text.secondary,
  },
  '& b': { fontWeight: 500, color: theme.vars?.palette.text.primary },
  '& time': { marginLeft: 'auto' },
  '& i': { width: 8, height: 8, borderRadius: '50%', background: theme.vars?.palette.primary.main },
  '& a, & p': { display: 'block', margin: '2px 0 0', padding: '4px 0', color: 'inherit', overflowWrap: 'anywhere' },
  '& a:not(:hover)': { textDecoration: 'none' },
  '&[data-retracted="true"] a': { textDecoration: 'line-through' },
  '& em': { fontStyle: 'normal', fontSize: '0.8125rem', color: theme.vars?.palette.warning.main },
}))
