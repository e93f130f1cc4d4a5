import type { Address, AlertSettings as Settings, Watch } from '@lineage/referral-api'
import { nameIn } from '@lineage/referral-api'
import { styled } from '@mui/material/styles'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useLazyTranslation } from '../../lib/i18n.ts'
import { TextButton } from '../frame/TextButton.tsx'
import { useCommunities } from '../lookup/useCommunity.ts'
import { useNameOf } from './AlertRow.tsx'
import { FeedSettings } from './FeedSettings.tsx'
import { useAlertSettings } from './useAlerts.ts'
import WatchDialog from './WatchDialog.tsx'
import { WebhookSettings } from './WebhookSettings.tsx'

/** Shows the watched addresses, the webhooks and the Atom feed of an account. */
export default function AlertSettings({ account }: { account: Address }) {
  const { t } = useLazyTranslation('alerts')
  const { data, isError } = useAlertSettings(account)
  if (!data) return <p role={isError ? 'alert' : 'status'}>{isError ? t('list.failed') : ''}</p>
  return (
    <Root>
      <Watches account={account} settings={data} />
      {data.webhooksOffered === 'on' && <WebhookSettings settings={data} />}
      <FeedSettings state={data.feed} />
    </Root>
  )
}

function Watches({ account, settings: { watches, limits } }: { account: Address; settings: Settings }) {
  const { t } = useLazyTranslation('alerts')
  const { i18n } = useTranslation()
  const nameOf = useNameOf()
  const { data } = useCommunities()
  const [edited, setEdited] = useState<Watch>()
  const communityOf = ({ community }: Watch) => data?.items.find(({ id }) => id === community)
  const community = edited && communityOf(edited)
  return (
    <section>
      <h3>{t('settings.watches', { count: watches.length, limit: limits.watches })}</h3>
      {watches.length === 0 && <p>{t('settings.noWatches')}</p>}
      <ul>
        {watches.map((watch) => {
          const of = communityOf(watch)
          const name = nameOf(watch.address)
          return (
            <li key={`${watch.community} ${watch.address}`}>
              <TextButton
                type="button"
                disabled={!of}
                title={watch.address}
                aria-label={t('settings.edit', { name, interpolation: { escapeValue: false } })}
                onClick={() => setEdited(watch)}
              >
                {name}
              </TextButton>
              <span>{of ? nameIn(of.name, i18n.language) : watch.community}</span>
            </li>
          )
        })}
      </ul>
      {edited && community && (
        <WatchDialog
          account={account}
          community={community}
          address={edited.address}
          onClose={() => setEdited(undefined)}
        />
      )}
    </section>
  )
}

const Root = styled('div')(({ theme }) => ({
  '& h3': { margin: '20px 0 6px', fontSize: '1rem', fontWeight: 500 },
  '& section:first-of-type h3': { marginTop: 4 },
  '& p': { margin: '4px 0 10px', fontSize: '0.875rem', color: theme.vars?.palette.text.secondary, textWrap: 'pretty' },
  '& ul': { listStyle: 'none', margin: 0, padding: 0 },
  '& li': { display: 'flex', alignItems: 'center', gap: 12, minHeight: 44 },
  '& li > button': { fontSize: '0.875rem' },
  '& li > button:disabled': { color: 'inherit', cursor: 'default', textDecoration: 'none' },
  '& li > span': { fontSize: '0.875rem', color: theme.vars?.palette.text.secondary },
}))
