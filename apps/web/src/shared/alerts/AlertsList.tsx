import type { Address, Alert } from '@lineage/referral-api'
import { styled } from '@mui/material/styles'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { refreshEvery } from '../../lib/api.ts'
import { useLazyTranslation } from '../../lib/i18n.ts'
import { TextButton } from '../frame/TextButton.tsx'
import { AlertRow } from './AlertRow.tsx'
import { useAlertsClient, useReloadAlerts } from './useAlerts.ts'

/**
 * Lists the account's alerts, newest first, and marks them as read. Alerts that were unread when the list opened stay
 * highlighted.
 */
export function AlertsList({ account, onFollow }: { account: Address; onFollow: () => void }) {
  const { t } = useLazyTranslation('alerts')
  const client = useAlertsClient()
  const { data, isError, hasNextPage, isFetchingNextPage, fetchNextPage } = useInfiniteQuery({
    queryKey: ['alerts', account, 'list'],
    queryFn: ({ pageParam }) => client.list({ limit: 50, ...(pageParam !== null && { cursor: pageParam }) }),
    initialPageParam: null as string | null,
    getNextPageParam: ({ nextCursor }) => nextCursor,
    refetchInterval: refreshEvery(5_000),
    gcTime: 0,
    retry: false,
  })
  const items = data?.pages.flatMap((page) => page.items)
  const isNew = useMarkRead(items)
  if (!items) return <Note role={isError ? 'alert' : 'status'}>{isError ? t('list.failed') : ''}</Note>
  if (items.length === 0) return <Note>{t('list.empty')}</Note>
  return (
    <>
      <List aria-label={t('title')}>
        {items.map((alert) => (
          <AlertRow key={alert.id} alert={alert} state={isNew(alert) ? 'unread' : 'read'} onFollow={onFollow} />
        ))}
      </List>
      {hasNextPage && (
        <TextButton type="button" aria-disabled={isFetchingNextPage} onClick={() => void fetchNextPage()}>
          {t('list.more')}
        </TextButton>
      )}
    </>
  )
}

/**
 * Marks the shown alerts as read. Returns a function that tells whether an alert was unread when it was first shown.
 */
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

const List = styled('ul')({ listStyle: 'none', margin: 0, padding: 0 })

const Note = styled('p')(({ theme }) => ({
  margin: '8px 0',
  color: theme.vars?.palette.text.secondary,
  textWrap: 'pretty',
}))
