import Button from '@mui/material/Button'
import Dialog from '@mui/material/Dialog'
import DialogActions from '@mui/material/DialogActions'
import DialogContent from '@mui/material/DialogContent'
import DialogTitle from '@mui/material/DialogTitle'
import { useId } from 'react'
import { useTexts } from '../../lib/useTexts.ts'
import { useLabels } from './labels.ts'

/** Before labels leave the browser, and before they are gone. */
export function AskDialog({ about }: { about: 'offer' | 'clear' }) {
  const { t } = useTexts('labels')
  const id = useId()
  const { actions, place, shown, waiting } = useLabels((state) => state)
  const close = () => (about === 'offer' ? actions?.leave() : actions?.ask({ name: 'none' }))
  const confirm = () => {
    if (about === 'offer') return void actions?.move()
    actions?.ask({ name: 'none' })
    void actions?.removeAll()
  }
  return (
    <Dialog open fullWidth maxWidth="xs" onClose={close} aria-labelledby={id}>
      <DialogTitle id={id}>
        {about === 'offer' ? t('offer.title') : t('clear.title', { count: shown.size })}
      </DialogTitle>
      <DialogContent sx={{ textWrap: 'pretty' }}>
        {about === 'offer' ? (
          <>
            {t('offer.text', { count: waiting })}
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
