import { useCallback } from 'react'
import { useTranslation } from 'react-i18next'
import { useTell } from '../../lib/notices.ts'

/** Copies a text and says how it went. */
export function useCopy(): (text: string) => Promise<boolean> {
  const { t } = useTranslation()
  const tell = useTell()
  return useCallback(
    async (text: string) => {
      try {
        await navigator.clipboard.writeText(text)
        tell(t('copy.done'), 'success')
        return true
      } catch {
        tell(t('copy.failed'), 'error')
        return false
      }
    },
    [t, tell],
  )
}
