import { accountRoutes } from '@lineage/referral-api/routes'
import { useSignIn } from '@lineage/wallet-kit'
import DialogActions from '@mui/material/DialogActions'
import DialogContent from '@mui/material/DialogContent'
import DialogTitle from '@mui/material/DialogTitle'
import { useMutation } from '@tanstack/react-query'
import { useId, useState } from 'react'
import { useApi } from '../../lib/api.ts'
import { useLazyTranslation } from '../../lib/i18n.ts'
import { useNotify } from '../../lib/notices.ts'
import { Button } from '../../shared/frame/Button.tsx'
import { Dialog } from '../../shared/frame/layers.tsx'
import { ActionsRow } from './ActionsRow.tsx'

/** Renders the buttons that download and delete everything the server stores for the signed-in account. */
export default function AccountData() {
  const { t } = useLazyTranslation('labels')
  const [isAsking, setIsAsking] = useState(false)
  const id = useId()
  const removal = useAccountRemoval(() => setIsAsking(false))
  return (
    <ActionsRow>
      <p>{t('account.text')}</p>
      <Button size="small" variant="outlined" component="a" href="/v1/account" download="lineage-account.json">
        {t('account.export')}
      </Button>
      <Button size="small" color="error" onClick={() => setIsAsking(true)}>
        {t('account.remove')}
      </Button>
      <Dialog open={isAsking} fullWidth maxWidth="xs" onClose={() => setIsAsking(false)} aria-labelledby={id}>
        <DialogTitle id={id}>{t('account.title')}</DialogTitle>
        <DialogContent sx={{ textWrap: 'pretty' }}>{t('account.warning')}</DialogContent>
        <DialogActions sx={{ padding: '0 24px 20px' }}>
          <Button onClick={() => setIsAsking(false)}>{t('edit.cancel')}</Button>
          <Button variant="contained" color="error" loading={removal.isPending} onClick={() => removal.mutate()}>
            {t('account.yes')}
          </Button>
        </DialogActions>
      </Dialog>
    </ActionsRow>
  )
}

/** Returns the mutation that deletes the account and signs out in every tab. */
function useAccountRemoval(onSettled: () => void) {
  const { t } = useLazyTranslation('labels')
  const { request } = useApi()
  const { signOut } = useSignIn()
  const notify = useNotify()
  return useMutation({
    mutationFn: () => request('removeAccount', accountRoutes.removeAccount, { path: [] }),
    networkMode: 'always',
    onSuccess() {
      notify(t('account.done'), 'success')
      // The server has ended the sessions. If this fails, the page only stays signed in until its next request.
      void signOut().catch(() => {})
    },
    onError: () => notify(t('account.failed'), 'error'),
    onSettled,
  })
}
