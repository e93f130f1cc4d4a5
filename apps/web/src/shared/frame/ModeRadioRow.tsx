import { useColorScheme } from '@mui/material/styles'
import { useTranslation } from 'react-i18next'
import { colorModes } from './colorModes.ts'
import { RadioRow } from './RadioRow.tsx'

export function ModeRadioRow() {
  const { t } = useTranslation()
  const { mode = 'system', setMode } = useColorScheme()
  return (
    <RadioRow
      label={t('mode.label')}
      labelled="visibly"
      value={mode}
      options={colorModes.map((name) => [name, t(`mode.${name}`)] as const)}
      onChange={setMode}
    />
  )
}
