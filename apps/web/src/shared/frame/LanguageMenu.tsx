import LanguageIcon from '@mui/icons-material/TranslateOutlined'
import { useTranslation } from 'react-i18next'
import { type Language, languages } from '../../lib/i18n.ts'
import { BarMenu } from './BarMenu.tsx'
import { useChooseLanguage } from './useChooseLanguage.ts'

export function LanguageMenu() {
  const { t, i18n } = useTranslation()
  const choose = useChooseLanguage()
  return (
    <BarMenu
      label={t('language.label')}
      icon={<LanguageIcon fontSize="small" />}
      value={i18n.language as Language}
      options={Object.entries(languages) as [Language, string][]}
      onChange={choose}
    />
  )
}
