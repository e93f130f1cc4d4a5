import createCache from '@emotion/cache'
import { CacheProvider } from '@emotion/react'
import type { ReferralClient } from '@lineage/referral-api'
import CssBaseline from '@mui/material/CssBaseline'
import { ThemeProvider } from '@mui/material/styles'
import { type QueryClient, QueryClientProvider } from '@tanstack/react-query'
import type { i18n } from 'i18next'
import { type ReactNode, useMemo } from 'react'
import { I18nextProvider } from 'react-i18next'
import { ApiContext } from './lib/api.ts'
import { theme } from './lib/theme.ts'
import { createLookAlikes, LookAlikeContext } from './shared/address/useLookAlike.ts'
import { KitProvider } from './shared/frame/KitProvider.tsx'
import { NoticesProvider } from './shared/frame/NoticesProvider.tsx'
import { LabelsProvider } from './shared/labels/LabelsProvider.tsx'

type Props = { i18n: i18n; api: ReferralClient; queryClient: QueryClient; children: ReactNode }

const createStyles = () =>
  createCache({ key: 'css', ...(typeof window !== 'undefined' && window.__nonce__ && { nonce: window.__nonce__ }) })

/** Wraps the app in its providers. */
export function Providers({ i18n, api, queryClient, children }: Props) {
  const cache = useMemo(createStyles, [])
  const lookAlikes = useMemo(createLookAlikes, [])
  return (
    <CacheProvider value={cache}>
      <ThemeProvider theme={theme} defaultMode="system">
        <CssBaseline />
        <I18nextProvider i18n={i18n}>
          <QueryClientProvider client={queryClient}>
            <ApiContext value={api}>
              <LookAlikeContext value={lookAlikes}>
                <NoticesProvider>
                  <KitProvider>
                    <LabelsProvider>{children}</LabelsProvider>
                  </KitProvider>
                </NoticesProvider>
              </LookAlikeContext>
            </ApiContext>
          </QueryClientProvider>
        </I18nextProvider>
      </ThemeProvider>
    </CacheProvider>
  )
}
