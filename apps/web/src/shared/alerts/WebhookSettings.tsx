import type { AlertSettings, Delivery, Webhook } from '@lineage/referral-api'
import Button from '@mui/material/Button'
import { styled } from '@mui/material/styles'
import { useMutation } from '@tanstack/react-query'
import { useId, useState } from 'react'
import { useLazyTranslation } from '../../lib/i18n.ts'
import { useFormat } from '../../lib/useFormat.ts'
import { useCopy } from '../address/useCopy.ts'
import { UnderlinedInput } from '../frame/UnderlinedInput.tsx'
import { Secret } from './FeedSettings.tsx'
import { useAlertFailure } from './useAlertFailure.ts'
import { useAlertsClient, useReloadAlerts } from './useAlerts.ts'

/** Adds webhooks, and shows each with its last deliveries. */
export function WebhookSettings({ settings: { webhooks, limits } }: { settings: AlertSettings }) {
  const { t } = useLazyTranslation('alerts')
  const id = useId()
  const [url, setUrl] = useState('')
  const client = useAlertsClient()
  const reload = useReloadAlerts()
  const onError = useAlertFailure()
  const copy = useCopy()
  const add = useMutation({
    mutationFn: client.addWebhook,
    networkMode: 'always',
    onSuccess: () => setUrl(''),
    onError,
    onSettled: reload,
  })
  return (
    <section>
      <h3>{t('webhook.title', { count: webhooks.length, limit: limits.webhooks })}</h3>
      <p>{t('webhook.text')}</p>
      {webhooks.map((webhook) => (
        <WebhookView key={webhook.id} webhook={webhook} />
      ))}
      {add.data && (
        <Secret>
          <label htmlFor={`${id}-secret`}>{t('webhook.secret')}</label>
          <UnderlinedInput
            id={`${id}-secret`}
            readOnly
            value={add.data.secret}
            onFocus={(event) => event.target.select()}
          />
          <Button onClick={() => void copy(add.data.secret)}>{t('webhook.copy')}</Button>
        </Secret>
      )}
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
  const reload = useReloadAlerts()
  const onError = useAlertFailure()
  const common = { networkMode: 'always', onError, onSettled: reload } as const
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
            <td title={format.moment(one.at)}>
              {format.ago(one.at)}
              {one.alert === null && ` · ${t('webhook.isTest')}`}
            </td>
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
