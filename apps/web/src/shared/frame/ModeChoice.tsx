import { useColorScheme } from '@mui/material/styles'
import { useTranslation } from 'react-i18next'
import { Choice } from './Choice.tsx'
import { modes } from './modes.ts'

export function ModeChoice() {
  const { t } = useTranslation()
  const { mode = 'system', setMode } = useColorScheme()
  return (
    <Choice
      label={t('mode.label')}
      labelled="visibly"
      value={mode}
      options={modes.map((name) => [name, t(`mode.${name}`)] as const)}
      onChange={setMode}
    />
  )
}
