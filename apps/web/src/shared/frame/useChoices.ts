import type { Language } from '@lineage/referral-api/language'
import { useColorScheme } from '@mui/material/styles'
import { useCallback, useSyncExternalStore } from 'react'
import { useSearchParams } from 'react-router-dom'
import { chooseLanguage, languages, useTranslation } from '../../lib/i18n.ts'
import { useNotify } from '../../lib/notices.ts'
import { withChanges } from '../../paths.ts'

const options = (Object.entries(languages) as [Language, string][]).map(([code, name]) => [code, name, code] as const)

/** Returns the choice of language, for a menu or a row of radio buttons. A change removes `?lang=` from the URL. */
export function useLanguageChoice() {
  const { t, i18n } = useTranslation()
  const notify = useNotify()
  const [, setParameters] = useSearchParams()
  const onChange = useCallback(
    (language: Language) => {
      chooseLanguage(i18n, language).then(
        () => {
          if (new URLSearchParams(window.location.search).has('lang'))
            setParameters((current) => withChanges(current, { lang: null }), { replace: true })
        },
        () => notify(i18n.translation('first')('language.failed'), 'error'),
      )
    },
    [i18n, notify, setParameters],
  )
  return { label: t('language.label'), value: i18n.language, options, onChange }
}

const never = () => () => {}

const modes = ['system', 'light', 'dark'] as const

/** Returns the choice of colour mode, for a menu or a row of radio buttons. */
export function useModeChoice() {
  const { t } = useTranslation()
  const { mode: current = 'system', setMode } = useColorScheme()
  // The server does not know the stored one.
  const mode = useSyncExternalStore(
    never,
    () => current,
    () => 'system' as const,
  )
  const options = modes.map((name) => [name, t(`mode.${name}`)] as const)
  return { label: t('mode.label'), value: mode, options, onChange: setMode }
}
