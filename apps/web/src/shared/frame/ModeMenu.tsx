import SystemIcon from '@mui/icons-material/ContrastOutlined'
import DarkIcon from '@mui/icons-material/DarkModeOutlined'
import LightIcon from '@mui/icons-material/LightModeOutlined'
import { useColorScheme } from '@mui/material/styles'
import { useTranslation } from 'react-i18next'
import { BarMenu } from './BarMenu.tsx'
import { colorModes } from './colorModes.ts'

const icons = {
  system: <SystemIcon fontSize="small" />,
  light: <LightIcon fontSize="small" />,
  dark: <DarkIcon fontSize="small" />,
}

export function ModeMenu() {
  const { t } = useTranslation()
  const { mode = 'system', setMode } = useColorScheme()
  return (
    <BarMenu
      label={t('mode.label')}
      icon={icons[mode]}
      value={mode}
      options={colorModes.map((name) => [name, t(`mode.${name}`)] as const)}
      onChange={setMode}
    />
  )
}
