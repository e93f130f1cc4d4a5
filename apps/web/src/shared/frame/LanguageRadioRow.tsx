import { useTranslation } from 'react-i18next'
import { type Language, languages } from '../../lib/i18n.ts'
import { RadioRow } from './RadioRow.tsx'
import { useChooseLanguage } from './useChooseLanguage.ts'

export function LanguageRadioRow() {
  const { t, i18n } = useTranslation()
  const choose = useChooseLanguage()
  return (
    <RadioRow
      label={t('language.label')}
      labelled="visibly"
      value={i18n.language as Language}
      options={Object.entries(languages) as [Language, string][]}
      onChange={choose}
    />
  )
}
