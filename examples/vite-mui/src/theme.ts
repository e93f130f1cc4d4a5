import { createTheme } from '@mui/material/styles'

/** The app's own theme. The kit takes its colours, shape and font, and follows the class `light` or `dark`. */
export const theme = createTheme({
  cssVariables: { colorSchemeSelector: 'class' },
  colorSchemes: {
    light: { palette: { primary: { main: '#5b3fd6' } } },
    dark: { palette: { primary: { main: '#b7a5ff' } } },
  },
  shape: { borderRadius: 10 },
  typography: { fontFamily: 'system-ui, sans-serif', button: { textTransform: 'none' } },
})
