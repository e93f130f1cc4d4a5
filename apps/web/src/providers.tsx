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
import { createLookAlikes, LookAlikesContext } from './shared/address/lookAlikes.ts'
import { KitRoot } from './shared/frame/KitRoot.tsx'
import { NoticesRoot } from './shared/frame/NoticesRoot.tsx'
import { LabelsRoot } from './shared/labels/LabelsRoot.tsx'

type Props = { i18n: i18n; api: ReferralClient; queryClient: QueryClient; children: ReactNode }

const createStyles = () =>
  createCache({ key: 'css', ...(typeof window !== 'undefined' && window.__nonce__ && { nonce: window.__nonce__ }) })

/** Everything pages stand on, from the outside in. */
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
              <LookAlikesContext value={lookAlikes}>
                <NoticesRoot>
                  <KitRoot>
                    <LabelsRoot>{children}</LabelsRoot>
                  </KitRoot>
                </NoticesRoot>
              </LookAlikesContext>
            </ApiContext>
          </QueryClientProvider>
        </I18nextProvider>
      </ThemeProvider>
    </CacheProvider>
  )
}
