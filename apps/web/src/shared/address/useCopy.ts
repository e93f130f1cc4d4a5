import { useCallback } from 'react'
import { useTranslation } from 'react-i18next'
import { useNotify } from '../../lib/notices.ts'

/** Returns a function that copies text and shows a notice. */
export function useCopy(): (text: string) => Promise<boolean> {
  const { t } = useTranslation()
  const notify = useNotify()
  return useCallback(
    async (text: string) => {
      try {
        await navigator.clipboard.writeText(text)
        notify(t('copy.done'), 'success')
        return true
      } catch {
        notify(t('copy.failed'), 'error')
        return false
      }
    },
    [t, notify],
  )
}
