import type { Address } from '@lineage/referral-api'
import { cleanLabelText, countCharacters, labelTextLimit } from '@lineage/referral-api/labels'
import { Identicon } from '@lineage/wallet-kit'
import Checkbox from '@mui/material/Checkbox'
import DialogActions from '@mui/material/DialogActions'
import DialogContent from '@mui/material/DialogContent'
import DialogTitle from '@mui/material/DialogTitle'
import FormControlLabel from '@mui/material/FormControlLabel'
import { styled } from '@mui/material/styles'
import { use, useId, useState } from 'react'
import { useLazyTranslation } from '../../lib/i18n.ts'
import { fonts } from '../../lib/theme.ts'
import { formatInGroups } from '../address/parseAddress.ts'
import { Button } from '../frame/Button.tsx'
import { UnderlinedInput } from '../frame/controls.tsx'
import { Dialog } from '../frame/layers.tsx'
import { LabelsContext, type LabelsState, useLabel, useLabels } from './labelsStore.ts'

/** Renders the open dialog about labels. */
export default function LabelDialogs({ dialog }: { dialog: LabelsState['dialog'] }) {
  switch (dialog.name) {
    case 'edit':
      return <LabelDialog address={dialog.address} />
    case 'offer':
    case 'clear':
      return <ConfirmDialog about={dialog.name} />
    case 'closed':
      return null
  }
}

/** Edits the label of an address: its text, and whether it is watched. */
function LabelDialog({ address }: { address: Address }) {
  const { t } = useLazyTranslation('labels')
  const id = useId()
  const label = useLabel(address)
  const { actions, place } = useLabels((state) => state)
  const [text, setText] = useState(label?.text ?? '')
  const [watched, setWatched] = useState(label?.watched ?? false)
  const left = labelTextLimit - countCharacters(cleanLabelText(text))
  const close = () => actions?.closeDialog()
  const [stage, setStage] = useState<'editing' | 'saving'>('editing')
  const isDisabled = left < 0 || stage === 'saving'
  const store = use(LabelsContext)
  /** Saves and closes; after a failure, the text stays for another try. */
  const save = async (content: { text: string; watched: boolean }) => {
    setStage('saving')
    const { dialog } = store.getState()
    const outcome = await actions?.save(address, content)
    // Another dialog may be open by now.
    if (outcome === 'saved' && store.getState().dialog === dialog) close()
    else setStage('editing')
  }
  return (
    <Dialog open fullWidth maxWidth="xs" onClose={close} aria-labelledby={id}>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          if (!isDisabled) void save({ text, watched })
        }}
      >
        <DialogTitle id={id}>{t('edit.title')}</DialogTitle>
        <DialogContent>
          <Subject>
            <Identicon address={address} size={28} />
            <span>{formatInGroups(address)}</span>
          </Subject>
          <Field>
            <label htmlFor={`${id}-text`}>{t('edit.text')}</label>
            <UnderlinedInput
              id={`${id}-text`}
              value={text}
              onChange={(event) => setText(event.target.value)}
              placeholder={t('edit.placeholder')}
              aria-invalid={left < 0}
              aria-describedby={`${id}-left`}
              autoComplete="off"
              enterKeyHint="done"
              autoFocus
            />
            <small id={`${id}-left`} role="status" data-wrong={left < 0}>
              {left < 0 ? t('edit.over', { count: -left }) : left <= 20 ? t('edit.left', { count: left }) : ''}
            </small>
          </Field>
          <FormControlLabel
            control={<Checkbox checked={watched} onChange={(event) => setWatched(event.target.checked)} />}
            label={t('edit.watch')}
          />
          <Place>{t(`place.${place}`)}</Place>
        </DialogContent>
        <DialogActions sx={{ padding: '0 24px 20px' }}>
          {label && (
            <Button
              color="error"
              onClick={() => void save({ text: '', watched: false })}
              disabled={stage === 'saving'}
              sx={{ mr: 'auto' }}
            >
              {t('edit.remove')}
            </Button>
          )}
          <Button onClick={close}>{t('edit.cancel')}</Button>
          <Button type="submit" variant="contained" color="primary" disabled={isDisabled}>
            {t('edit.save')}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  )
}

const Subject = styled('div')({
  display: 'flex',
  gap: 12,
  alignItems: 'center',
  font: `400 0.8125rem/1.7 ${fonts.address}`,
})

const Field = styled('div')(({ theme }) => ({
  marginTop: 18,
  '& label, & small': { display: 'block', fontSize: '0.8125rem', color: theme.vars?.palette.text.secondary },
  '& small': { minHeight: '1.6em', paddingTop: 4, lineHeight: 1.6 },
  '& small[data-wrong="true"]': { color: theme.vars?.palette.error.main },
}))

const Place = styled('p')(({ theme }) => ({
  margin: '6px 0 0',
  fontSize: '0.8125rem',
  lineHeight: 1.6,
  color: theme.vars?.palette.text.secondary,
}))

/** Asks before moving labels to the account, and before deleting all labels. */
function ConfirmDialog({ about }: { about: 'offer' | 'clear' }) {
  const { t } = useLazyTranslation('labels')
  const id = useId()
  const { actions, place, labels, unmoved } = useLabels((state) => state)
  const close = () => (about === 'offer' ? actions?.declineMove() : actions?.closeDialog())
  const confirm = () => {
    if (about === 'offer') return void actions?.moveToAccount()
    actions?.closeDialog()
    void actions?.removeAll()
  }
  return (
    <Dialog open fullWidth maxWidth="xs" onClose={close} aria-labelledby={id}>
      <DialogTitle id={id}>
        {about === 'offer' ? t('offer.title') : t('clear.title', { count: labels.size })}
      </DialogTitle>
      <DialogContent sx={{ textWrap: 'pretty' }}>
        {about === 'offer' ? (
          <>
            <span>{t('offer.text', { count: unmoved })}</span>
            <br />
            <span>{t('offer.conflict')}</span>
          </>
        ) : (
          t(`clear.${place}`)
        )}
      </DialogContent>
      <DialogActions sx={{ padding: '0 24px 20px' }}>
        <Button onClick={close}>{t(about === 'offer' ? 'offer.no' : 'edit.cancel')}</Button>
        <Button variant="contained" color={about === 'offer' ? 'primary' : 'error'} onClick={confirm}>
          {t(`${about}.yes`)}
        </Button>
      </DialogActions>
    </Dialog>
  )
}
