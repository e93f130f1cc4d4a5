import { useCallback } from 'react'
import { useTranslation } from 'react-i18next'
import { useSearchParams } from 'react-router-dom'
import { chooseLanguage, type Language } from '../../lib/i18n.ts'
import { useNotify } from '../../lib/notices.ts'

/** Returns a function that changes the language and removes `?lang=` from the URL. */
export function useChooseLanguage(): (language: Language) => void {
  const { i18n } = useTranslation()
  const notify = useNotify()
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
        () => notify(i18n.t('language.failed'), 'error'),
      )
    },
    [i18n, notify, setParameters],
  )
}
