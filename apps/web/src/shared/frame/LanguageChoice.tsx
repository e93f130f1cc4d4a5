import { useTranslation } from 'react-i18next'
import { type Language, languages } from '../../lib/i18n.ts'
import { Choice } from './Choice.tsx'
import { useChooseLanguage } from './useChooseLanguage.ts'

export function LanguageChoice() {
  const { t, i18n } = useTranslation()
  const choose = useChooseLanguage()
  return (
    <Choice
      label={t('language.label')}
      labelled="visibly"
      value={i18n.language as Language}
      options={Object.entries(languages) as [Language, string][]}
      onChange={choose}
    />
  )
}
