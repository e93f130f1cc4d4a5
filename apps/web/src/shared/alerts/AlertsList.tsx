import { type Address, type Alert, nameIn, type Token } from '@lineage/referral-api'
import { styled } from '@mui/material/styles'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { refreshEvery } from '../../lib/api.ts'
import { useFormat } from '../../lib/format.ts'
import { useLazyTranslation, useTranslation } from '../../lib/i18n.ts'
import { pages } from '../../paths.ts'
import { shorten } from '../address/parseAddress.ts'
import { Link } from '../frame/Link.tsx'
import { useLabels } from '../labels/labelsStore.ts'
import { MoreRow } from '../lookup/NextPage.tsx'
import { useCommunities } from '../lookup/useCommunity.ts'
import { useAlertsClient, useReloadAlerts } from './useAlerts.ts'

/** Lists the account's alerts, newest first, and marks them as read. Those unread when it opened stay highlighted. */
export function AlertsList({ account, onFollow }: { account: Address; onFollow: () => void }) {
  const { t } = useLazyTranslation('alerts')
  const client = useAlertsClient()
  const format = useFormat()
  const query = useInfiniteQuery({
    queryKey: ['alerts', account, 'list'],
    queryFn: ({ pageParam }) => client.list({ limit: 50, ...(pageParam !== null && { cursor: pageParam }) }),
    initialPageParam: null as string | null,
    getNextPageParam: ({ nextCursor }) => nextCursor,
    refetchInterval: refreshEvery(5_000),
    gcTime: 0,
    retry: false,
  })
  const { data, isError, hasNextPage } = query
  const items = data?.pages.flatMap((page) => page.items)
  const isNew = useMarkRead(items)
  if (!items) return <Note role={isError ? 'alert' : 'status'}>{isError ? t('list.failed') : ''}</Note>
  if (items.length === 0) return <Note>{t('list.empty')}</Note>
  return (
    <>
      <ul aria-label={t('title')}>
        {items.map((alert) => (
          <AlertRow key={alert.id} alert={alert} state={isNew(alert) ? 'unread' : 'read'} onFollow={onFollow} />
        ))}
      </ul>
      {(hasNextPage || (data && data.pages.length > 1)) && (
        <MoreRow
          // Not while the list is asked for again.
          query={{
            ...query,
            isFetching: query.isFetchingNextPage,
            error: query.isFetchNextPageError ? query.error : null,
          }}
          texts={{
            more: t('list.more'),
            failed: t('list.failed'),
            shown: t('list.shown', { number: format.count(items.length) }),
          }}
        />
      )}
    </>
  )
}

/** Marks the shown alerts as read. Returns a function that tells whether one was unread when first shown. */
function useMarkRead(items: readonly Alert[] | undefined): (alert: Alert) => boolean {
  const client = useAlertsClient()
  const reload = useReloadAlerts()
  const [readBefore, setReadBefore] = useState<number>()
  const newest = items?.[0]
  const upTo = newest && !newest.isRead ? newest.number : 0
  if (items && readBefore === undefined) setReadBefore(items.find(({ isRead }) => isRead)?.number ?? 0)
  useEffect(() => {
    // An alert stays unread if marking it fails.
    if (upTo > 0) client.markRead(upTo).then(reload, () => undefined)
  }, [upTo, client, reload])
  return ({ number }) => number > (readBefore ?? 0)
}

const Note = styled('p')(({ theme }) => ({
  margin: '8px 0',
  color: theme.vars?.palette.text.secondary,
  textWrap: 'pretty',
}))

type Props = { alert: Alert; state: 'unread' | 'read'; onFollow: () => void }

/** Shows an alert: its kind, its time, and its text as a link to the member. */
function AlertRow({ alert, state, onFollow }: Props) {
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
  })
  const shown = alert.member ?? alert.address
  const to = `${pages.community.path}?${new URLSearchParams({ community: alert.community ?? '', address: shown ?? '' })}`
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
      {alert.isUndated && <span>{t('undated')}</span>}
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
  '& > span': { display: 'block', fontSize: '0.8125rem', color: theme.vars?.palette.text.secondary },
  '& em': { fontStyle: 'normal', fontSize: '0.8125rem', color: theme.vars?.palette.warning.main },
}))
