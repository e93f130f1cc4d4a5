import {
  type Address,
  type Community,
  parseAmount,
  toDecimal,
  type Watch,
  type WatchRules,
} from '@lineage/referral-api'
import { Identicon } from '@lineage/wallet-kit'
import Checkbox from '@mui/material/Checkbox'
import DialogActions from '@mui/material/DialogActions'
import DialogContent from '@mui/material/DialogContent'
import DialogTitle from '@mui/material/DialogTitle'
import FormControlLabel from '@mui/material/FormControlLabel'
import { styled } from '@mui/material/styles'
import { useMutation } from '@tanstack/react-query'
import { useId, useState } from 'react'
import { useLazyTranslation } from '../../lib/i18n.ts'
import { useNotify } from '../../lib/notices.ts'
import { fonts } from '../../lib/theme.ts'
import { formatInGroups } from '../address/parseAddress.ts'
import { Button } from '../frame/Button.tsx'
import { UnderlinedInput, UnderlinedSelect } from '../frame/controls.tsx'
import { Dialog } from '../frame/layers.tsx'
import { useAlertSettings, useAlertsClient, useChangeOptions } from './useAlerts.ts'

type Props = { account: Address; community: Community; address: Address; onClose: () => void }

/** Edits which alerts the account gets for an address. */
export default function WatchDialog({ account, community, address, onClose }: Props) {
  const { t } = useLazyTranslation('alerts')
  const id = useId()
  const settings = useAlertSettings(account)
  const watch = settings.data?.watches.find((one) => one.community === community.id && one.address === address)
  return (
    <Dialog open fullWidth maxWidth="xs" onClose={onClose} aria-labelledby={id}>
      <DialogTitle id={id}>{t('watch.title')}</DialogTitle>
      {settings.isPending ? (
        <DialogContent sx={{ minHeight: 320 }} aria-busy />
      ) : (
        <WatchForm {...{ community, address, onClose }} watch={watch} />
      )}
    </Dialog>
  )
}

const newRules: WatchRules = {
  directs: true,
  team: 'day',
  milestones: true,
  referrer: true,
  irregular: false,
  volumeFrom: null,
}
const switches = ['directs', 'milestones', 'referrer', 'irregular'] as const
const choices = ['off', 'each', 'hour', 'day'] as const

type FormProps = Omit<Props, 'account'> & { watch: Watch | undefined }

function WatchForm({ community, address, watch, onClose }: FormProps) {
  const { t } = useLazyTranslation('alerts')
  const id = useId()
  const token = community.tokens.volume
  const [rules, setRules] = useState(watch?.rules ?? newRules)
  const [volume, setVolume] = useState(toText(rules.volumeFrom, token?.decimals ?? 0))
  const volumeFrom = toUnits(volume, token?.decimals ?? 0)
  const changed: WatchRules = { ...rules, volumeFrom: volumeFrom ?? null }
  const isNothing = changed.team === 'off' && changed.volumeFrom === null && !switches.some((name) => rules[name])
  const fault =
    volumeFrom === undefined
      ? t('watch.volumeWrong', { count: token?.decimals ?? 0 })
      : isNothing
        ? t('watch.nothing')
        : ''
  const { save, remove } = useWatchChanges({ community: community.id, address, onClose })
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        if (fault === '') save.mutate(changed)
      }}
    >
      <DialogContent sx={{ paddingTop: 0 }}>
        <Subject>
          <Identicon address={address} size={28} />
          <span>{formatInGroups(address)}</span>
        </Subject>
        {switches.map((name) => (
          <FormControlLabel
            key={name}
            sx={{ display: 'flex' }}
            control={
              <Checkbox
                checked={rules[name]}
                onChange={(event) => setRules({ ...rules, [name]: event.target.checked })}
              />
            }
            label={t(`watch.${name}`)}
          />
        ))}
        <Field>
          <label htmlFor={`${id}-team`}>{t('watch.team')}</label>
          <UnderlinedSelect
            id={`${id}-team`}
            value={rules.team}
            onChange={(event) => setRules({ ...rules, team: event.target.value as WatchRules['team'] })}
          >
            {choices.map((choice) => (
              <option key={choice} value={choice}>
                {t(`watch.team.${choice}`)}
              </option>
            ))}
          </UnderlinedSelect>
        </Field>
        {token && (
          <Field>
            <label htmlFor={`${id}-volume`}>{`${t('watch.volume')} (${token.symbol})`}</label>
            <UnderlinedInput
              id={`${id}-volume`}
              value={volume}
              onChange={(event) => setVolume(event.target.value)}
              placeholder={t('watch.volumeHint')}
              inputMode="decimal"
              autoComplete="off"
              aria-invalid={volumeFrom === undefined}
              aria-describedby={`${id}-fault`}
            />
          </Field>
        )}
        <Note id={`${id}-fault`} role="status" data-wrong={fault !== ''}>
          {fault || t('watch.from')}
        </Note>
      </DialogContent>
      <DialogActions sx={{ padding: '0 24px 20px' }}>
        {watch && (
          <Button color="error" loading={remove.isPending} onClick={() => remove.mutate()} sx={{ marginRight: 'auto' }}>
            {t('watch.remove')}
          </Button>
        )}
        <Button onClick={onClose}>{t('cancel')}</Button>
        <Button type="submit" variant="contained" color="primary" disabled={fault !== ''} loading={save.isPending}>
          {t('watch.save')}
        </Button>
      </DialogActions>
    </form>
  )
}

/** Returns the mutations that save and remove a watch. */
function useWatchChanges({
  community,
  address,
  onClose,
}: Pick<FormProps, 'address' | 'onClose'> & { community: string }) {
  const { t } = useLazyTranslation('alerts')
  const client = useAlertsClient()
  const notify = useNotify()
  const common = useChangeOptions()
  return {
    save: useMutation({
      ...common,
      mutationFn: (rules: WatchRules) => client.watch(community, address, rules),
      onSuccess() {
        notify(t('watch.saved'), 'success')
        onClose()
      },
    }),
    remove: useMutation({
      ...common,
      mutationFn: () => client.unwatch(community, address),
      onSuccess() {
        notify(t('watch.removed'), 'success')
        onClose()
      },
    }),
  }
}

const toText = (amount: string | null, decimals: number) => (amount === null ? '' : toDecimal(amount, decimals))

/** Returns an amount in the smallest unit, `null` for an empty text, or `undefined` for an invalid one. */
function toUnits(text: string, decimals: number): string | null | undefined {
  const trimmed = text.trim().replaceAll(',', '')
  return trimmed === '' ? null : parseAmount(trimmed, decimals)
}

const Subject = styled('div')({
  display: 'flex',
  gap: 12,
  alignItems: 'center',
  marginBottom: 8,
  font: `400 0.8125rem/1.7 ${fonts.address}`,
})

const Field = styled('div')(({ theme }) => ({
  marginTop: 10,
  '& label': { display: 'block', fontSize: '0.8125rem', color: theme.vars?.palette.text.secondary },
  '& select': { backgroundColor: theme.vars?.palette.background.paper },
}))

const Note = styled('p')(({ theme }) => ({
  margin: '12px 0 0',
  minHeight: '1.6em',
  fontSize: '0.8125rem',
  lineHeight: 1.6,
  color: theme.vars?.palette.text.secondary,
  '&[data-wrong="true"]': { color: theme.vars?.palette.error.main },
}))
