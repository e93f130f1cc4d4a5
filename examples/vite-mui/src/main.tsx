import { WalletKitProvider } from '@lineage/wallet-kit'
import { themeFromMui } from '@lineage/wallet-kit/mui'
import CssBaseline from '@mui/material/CssBaseline'
import { ThemeProvider } from '@mui/material/styles'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { App } from './App.tsx'
import { kit } from './kit.ts'
import { theme } from './theme.ts'

const queryClient = new QueryClient()
const kitTheme = themeFromMui(theme)

createRoot(document.getElementById('root') as HTMLElement).render(
  <StrictMode>
    <ThemeProvider theme={theme}>
      <CssBaseline />
      <QueryClientProvider client={queryClient}>
        <WalletKitProvider kit={kit} theme={kitTheme}>
          <App />
        </WalletKitProvider>
      </QueryClientProvider>
    </ThemeProvider>
  </StrictMode>,
)
