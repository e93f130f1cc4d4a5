import {
  type Address,
  type Delivery,
  nameIn,
  type AlertSettings as Settings,
  type Watch,
  type Webhook,
} from '@lineage/referral-api'
import { styled } from '@mui/material/styles'
import { useMutation } from '@tanstack/react-query'
import { useId, useState } from 'react'
import { useFormat } from '../../lib/format.ts'
import { useLazyTranslation, useTranslation } from '../../lib/i18n.ts'
import { fonts } from '../../lib/theme.ts'
import { useCopy } from '../address/useCopy.ts'
import { Button } from '../frame/Button.tsx'
import { TextButton, UnderlinedInput } from '../frame/controls.tsx'
import { useCommunities } from '../lookup/useCommunity.ts'
import { useNameOf } from './AlertsList.tsx'
import { useAlertSettings, useAlertsClient, useChangeOptions } from './useAlerts.ts'
import WatchDialog from './WatchDialog.tsx'

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
                aria-label={t('settings.edit', { name })}
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
  '& li': { display: 'flex', alignItems: 'center', gap: 12, minHeight: 44 },
  '& li > button': { fontSize: '0.875rem' },
  '& li > button:disabled': { color: 'inherit', cursor: 'default', textDecoration: 'none' },
  '& li > span': { fontSize: '0.875rem', color: theme.vars?.palette.text.secondary },
}))

/** Creates, renews and deletes the secret link of the Atom feed. The link is shown only after it is created. */
function FeedSettings({ state }: { state: Settings['feed'] }) {
  const { t } = useLazyTranslation('alerts')
  const { i18n } = useTranslation()
  const client = useAlertsClient()
  const common = useChangeOptions()
  const renew = useMutation({ ...common, mutationFn: client.renewFeed })
  const remove = useMutation({ ...common, mutationFn: client.removeFeed, onSuccess: renew.reset })
  const link = renew.data && `${location.origin}${renew.data.path}?lang=${i18n.language}`
  return (
    <section>
      <h3>{t('feed.title')}</h3>
      <p>{t(state === 'on' && !link ? 'feed.on' : 'feed.text')}</p>
      {link && <Secret label={t('feed.link')} value={link} copyText={t('feed.copy')} />}
      <Button variant="outlined" loading={renew.isPending} onClick={() => renew.mutate()}>
        {t(state === 'on' ? 'feed.renew' : 'feed.make')}
      </Button>
      {state === 'on' && (
        <Button color="error" loading={remove.isPending} onClick={() => remove.mutate()}>
          {t('feed.remove')}
        </Button>
      )}
    </section>
  )
}

/** Shows a secret, which is not shown again later, in a field to copy it from. */
function Secret({ label, value, copyText }: { label: string; value: string; copyText: string }) {
  const id = useId()
  const copy = useCopy()
  return (
    <SecretRoot>
      <label htmlFor={id}>{label}</label>
      <UnderlinedInput id={id} readOnly value={value} onFocus={(event) => event.target.select()} />
      <Button onClick={() => void copy(value)}>{copyText}</Button>
    </SecretRoot>
  )
}

const SecretRoot = styled('div')(({ theme }) => ({
  margin: '4px 0 10px',
  '& label': { display: 'block', fontSize: '0.8125rem', color: theme.vars?.palette.text.secondary },
  '& input': { font: `400 0.875rem/1.4 ${fonts.address}` },
}))

/** Adds webhooks, and shows each with its last deliveries. */
function WebhookSettings({ settings: { webhooks, limits } }: { settings: Settings }) {
  const { t } = useLazyTranslation('alerts')
  const id = useId()
  const [url, setUrl] = useState('')
  const client = useAlertsClient()
  const add = useMutation({ ...useChangeOptions(), mutationFn: client.addWebhook, onSuccess: () => setUrl('') })
  return (
    <section>
      <h3>{t('webhook.title', { count: webhooks.length, limit: limits.webhooks })}</h3>
      <p>{t('webhook.text')}</p>
      {webhooks.map((webhook) => (
        <WebhookView key={webhook.id} webhook={webhook} />
      ))}
      {add.data && <Secret label={t('webhook.secret')} value={add.data.secret} copyText={t('webhook.copy')} />}
      {webhooks.length < limits.webhooks && (
        <Form
          onSubmit={(event) => {
            event.preventDefault()
            if (url.trim() !== '') add.mutate(url.trim())
          }}
        >
          <label htmlFor={id}>{t('webhook.url')}</label>
          <UnderlinedInput
            id={id}
            type="url"
            inputMode="url"
            autoComplete="off"
            placeholder={t('webhook.example')}
            value={url}
            onChange={(event) => setUrl(event.target.value)}
          />
          <Button type="submit" variant="outlined" loading={add.isPending}>
            {t('webhook.add')}
          </Button>
        </Form>
      )}
    </section>
  )
}

function WebhookView({ webhook }: { webhook: Webhook }) {
  const { t } = useLazyTranslation('alerts')
  const format = useFormat()
  const client = useAlertsClient()
  const common = useChangeOptions()
  const test = useMutation({ ...common, mutationFn: () => client.testWebhook(webhook.id) })
  const resume = useMutation({ ...common, mutationFn: () => client.resumeWebhook(webhook.id) })
  const remove = useMutation({ ...common, mutationFn: () => client.removeWebhook(webhook.id) })
  const { url, state, failingSince, deliveries } = webhook
  const failing = failingSince === null ? t('webhook.active') : t('webhook.failing', { time: format.ago(failingSince) })
  return (
    <View data-state={state === 'paused' || failingSince !== null ? 'failing' : 'working'}>
      <b>{url}</b>
      <span role="status">{state === 'paused' ? t('webhook.paused') : failing}</span>
      <div>
        <Button size="small" loading={test.isPending} onClick={() => test.mutate()}>
          {t('webhook.test')}
        </Button>
        {state === 'paused' && (
          <Button size="small" loading={resume.isPending} onClick={() => resume.mutate()}>
            {t('webhook.resume')}
          </Button>
        )}
        <Button size="small" color="error" loading={remove.isPending} onClick={() => remove.mutate()}>
          {t('webhook.remove')}
        </Button>
      </div>
      <details open={test.isSuccess}>
        <summary>{t('webhook.deliveries')}</summary>
        {deliveries.length === 0 ? <p>{t('webhook.noDeliveries')}</p> : <Deliveries deliveries={deliveries} />}
      </details>
    </View>
  )
}

function Deliveries({ deliveries }: { deliveries: readonly Delivery[] }) {
  const { t } = useLazyTranslation('alerts')
  const format = useFormat()
  return (
    <table>
      <thead>
        <tr>
          <th scope="col">{t('webhook.when')}</th>
          <th scope="col">{t('webhook.status')}</th>
          <th scope="col">{t('webhook.took')}</th>
          <th scope="col">{t('webhook.answer')}</th>
        </tr>
      </thead>
      <tbody>
        {deliveries.map((one) => (
          <tr key={`${one.alert} ${one.at} ${one.milliseconds}`}>
            <th scope="row" title={format.moment(one.at)}>
              <span>{format.ago(one.at)}</span>
              {one.alert === null && <span>{` · ${t('webhook.isTest')}`}</span>}
            </th>
            <td>{one.status ?? '–'}</td>
            <td>{t('webhook.milliseconds', { time: format.count(one.milliseconds) })}</td>
            <td>{one.answer}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

const Form = styled('form')(({ theme }) => ({
  margin: '4px 0 10px',
  '& label': { display: 'block', fontSize: '0.8125rem', color: theme.vars?.palette.text.secondary },
  '& button': { marginTop: 10 },
}))

const View = styled('div')(({ theme }) => ({
  padding: '8px 0',
  borderBottom: `1px solid ${theme.vars?.palette.divider}`,
  '& b': { display: 'block', fontWeight: 500, overflowWrap: 'anywhere' },
  '& > span': { fontSize: '0.8125rem', color: theme.vars?.palette.text.secondary },
  '&[data-state="failing"] > span': { color: theme.vars?.palette.warning.main },
  '& summary': { minHeight: 32, fontSize: '0.8125rem', lineHeight: '32px', cursor: 'pointer' },
  '& table': { width: '100%', borderCollapse: 'collapse', fontSize: '0.8125rem' },
  '& th': { textAlign: 'left', fontWeight: 400, color: theme.vars?.palette.text.secondary },
  '& th, & td': { padding: '4px 8px 4px 0', verticalAlign: 'top' },
  '& td:last-of-type': { overflowWrap: 'anywhere' },
}))
