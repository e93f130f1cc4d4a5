import { useColorScheme } from '@mui/material/styles'
import { useTranslation } from 'react-i18next'

const modes = ['system', 'light', 'dark'] as const

/** Returns the choice of colour mode, for a menu or a row of radio buttons. */
export function useModeChoice() {
  const { t } = useTranslation()
  const { mode = 'system', setMode } = useColorScheme()
  const options = modes.map((name) => [name, t(`mode.${name}`)] as const)
  return { label: t('mode.label'), value: mode, options, onChange: setMode }
}
