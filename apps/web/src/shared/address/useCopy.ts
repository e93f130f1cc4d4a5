import { useCallback } from 'react'
import { useTranslation } from 'react-i18next'
import { useNotify } from '../../lib/notices.ts'
import { copyText } from './copyText.ts'

/** Returns a function that copies text and shows a notice. */
export function useCopy(): (text: string) => Promise<boolean> {
  const { t } = useTranslation()
  const notify = useNotify()
  return useCallback(
    async (text: string) => {
      const isCopied = await copyText(text)
      if (isCopied) notify(t('copy.done'), 'success')
      // A link stands nowhere else on the page, and in-app browsers show no address bar.
      else notify([t('copy.failed'), /^https?:/.test(text) && text].filter(Boolean).join(' '), 'error')
      return isCopied
    },
    [t, notify],
  )
}
