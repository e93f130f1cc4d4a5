import type { AlertSettings } from '@lineage/referral-api'
import Button from '@mui/material/Button'
import { styled } from '@mui/material/styles'
import { useMutation } from '@tanstack/react-query'
import { useId } from 'react'
import { useTranslation } from 'react-i18next'
import { useLazyTranslation } from '../../lib/i18n.ts'
import { fonts } from '../../lib/theme.ts'
import { useCopy } from '../address/useCopy.ts'
import { UnderlinedInput } from '../frame/UnderlinedInput.tsx'
import { useAlertFailure } from './useAlertFailure.ts'
import { useAlertsClient, useReloadAlerts } from './useAlerts.ts'

/** Creates, renews and deletes the secret link of the Atom feed. The link is shown only after it is created. */
export function FeedSettings({ state }: { state: AlertSettings['feed'] }) {
  const { t } = useLazyTranslation('alerts')
  const { i18n } = useTranslation()
  const id = useId()
  const client = useAlertsClient()
  const reload = useReloadAlerts()
  const onError = useAlertFailure()
  const copy = useCopy()
  const common = { networkMode: 'always', onError, onSettled: reload } as const
  const renew = useMutation({ ...common, mutationFn: client.renewFeed })
  const remove = useMutation({ ...common, mutationFn: client.removeFeed, onSuccess: renew.reset })
  const link = renew.data && `${location.origin}${renew.data.path}?lang=${i18n.language}`
  return (
    <section>
      <h3>{t('feed.title')}</h3>
      <p>{t(state === 'on' && !link ? 'feed.on' : 'feed.text')}</p>
      {link && (
        <Secret>
          <label htmlFor={id}>{t('feed.link')}</label>
          <UnderlinedInput id={id} readOnly value={link} onFocus={(event) => event.target.select()} />
          <Button onClick={() => void copy(link)}>{t('feed.copy')}</Button>
        </Secret>
      )}
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

/** Shows a secret once, in a field to copy it from. */
export const Secret = styled('div')(({ theme }) => ({
  margin: '4px 0 10px',
  '& label': { display: 'block', fontSize: '0.8125rem', color: theme.vars?.palette.text.secondary },
  '& input': { font: `400 0.875rem/1.4 ${fonts.address}` },
}))
