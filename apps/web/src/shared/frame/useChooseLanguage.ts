import { useCallback } from 'react'
import { useTranslation } from 'react-i18next'
import { useSearchParams } from 'react-router-dom'
import { chooseLanguage, type Language } from '../../lib/i18n.ts'
import { useTell } from '../../lib/notices.ts'

/** Changes the page's language; the choice outlives a `?lang=` in the link. */
export function useChooseLanguage(): (language: Language) => void {
  const { i18n } = useTranslation()
  const tell = useTell()
  const [, setParameters] = useSearchParams()
  return useCallback(
    (language) => {
      chooseLanguage(i18n, language).then(
        () => {
          if (!new URLSearchParams(window.location.search).has('lang')) return
          setParameters(
            (current) => {
              const next = new URLSearchParams(current)
              next.delete('lang')
              return next
            },
            { replace: true },
          )
        },
        () => tell(i18n.t('language.failed'), 'error'),
      )
    },
    [i18n, tell, setParameters],
  )
}
