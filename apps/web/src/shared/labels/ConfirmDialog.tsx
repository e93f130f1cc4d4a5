import Button from '@mui/material/Button'
import Dialog from '@mui/material/Dialog'
import DialogActions from '@mui/material/DialogActions'
import DialogContent from '@mui/material/DialogContent'
import DialogTitle from '@mui/material/DialogTitle'
import { useId } from 'react'
import { useLazyTranslation } from '../../lib/i18n.ts'
import { useLabels } from './labelsStore.ts'

/** Asks before moving labels to the account, and before deleting all labels. */
export function ConfirmDialog({ about }: { about: 'offer' | 'clear' }) {
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
            {t('offer.text', { count: unmoved })}
            <br />
            {t('offer.conflict')}
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
