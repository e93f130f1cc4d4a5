import type { EmotionCache } from '@emotion/cache'
import { CacheProvider } from '@emotion/react'
import type { ReferralClient } from '@lineage/referral-api'
import type { WalletKit } from '@lineage/wallet-kit/core'
import CssBaseline from '@mui/material/CssBaseline'
import { ThemeProvider } from '@mui/material/styles'
import { type QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { type ReactNode, Suspense, useEffect, useMemo, useState } from 'react'
import { ApiContext } from './lib/api.ts'
import { type I18n, I18nProvider } from './lib/i18n.ts'
import { createNotices, NoticesContext } from './lib/notices.ts'
import { createStyleCache } from './lib/styles.ts'
import { TakenOver, whenIdle, whenWorks } from './lib/takeOver.tsx'
import { theme } from './lib/theme.ts'
import { createLookAlikes, LookAlikeContext } from './shared/address/useLookAlike.ts'
import { ErrorBoundary, lazyPart } from './shared/frame/ErrorBoundary.tsx'
import { KitProvider } from './shared/frame/KitProvider.tsx'
import { type LoadError, lazyWithPreload } from './shared/frame/lazyWithPreload.tsx'
import { createLabelsStore, LabelsContext } from './shared/labels/labelsStore.ts'

type Props = {
  i18n: I18n
  api: ReferralClient
  queryClient: QueryClient
  /** Default: created once the page works, and the configuration has arrived. */
  kit?: WalletKit | undefined
  styles?: EmotionCache
  children: ReactNode
}

/** Wraps the app in its providers. */
export function Providers({ i18n, api, queryClient, kit, styles, children }: Props) {
  const cache = useMemo(() => styles ?? createStyleCache(), [styles])
  const lookAlikes = useMemo(createLookAlikes, [])
  return (
    <CacheProvider value={cache}>
      {/* `noSsr`: the mode is known at once. Otherwise all is rendered again after the start. `useModeChoice` hydrates it. */}
      <ThemeProvider theme={theme} defaultMode="system" noSsr>
        <CssBaseline />
        <I18nProvider i18n={i18n}>
          <QueryClientProvider client={queryClient}>
            <ApiContext value={api}>
              <LookAlikeContext value={lookAlikes}>
                <NoticesProvider>
                  <KitProvider kit={kit}>
                    <LabelsProvider>{children}</LabelsProvider>
                    <TakenOver />
                  </KitProvider>
                </NoticesProvider>
              </LookAlikeContext>
            </ApiContext>
          </QueryClientProvider>
        </I18nProvider>
      </ThemeProvider>
    </CacheProvider>
  )
}

const Labels = lazyPart(() => import('./shared/labels/Labels.tsx'))

/** Provides the user's labels. The code that loads and saves them comes once the page works. */
function LabelsProvider({ children }: { children: ReactNode }) {
  const store = useMemo(createLabelsStore, [])
  const [stage, setStage] = useState<'starting' | 'works'>('starting')
  useEffect(() => whenWorks(() => setStage('works')), [])
  return (
    <LabelsContext value={store}>
      {children}
      {stage === 'works' && <Labels store={store} />}
    </LabelsContext>
  )
}

const Toasts = lazyWithPreload(() => import('./shared/frame/Toasts.tsx'))

/** Provides the notices. The toasts are loaded when the page is idle, so that they also show offline. */
function NoticesProvider({ children }: { children: ReactNode }) {
  const notices = useMemo(createNotices, [])
  const [stage, setStage] = useState<'quiet' | 'showing'>('quiet')
  useEffect(() => notices.subscribe(() => setStage('showing')), [notices])
  // If that fails, the first notice loads them.
  useEffect(() => whenIdle(() => void Toasts.preload().catch(({ forget }: LoadError) => forget())), [])
  return (
    <NoticesContext value={notices}>
      {children}
      {stage === 'showing' && (
        // The next notice tries again.
        <ErrorBoundary fallback={() => null} onError={() => setStage('quiet')}>
          <Suspense>
            <Toasts notices={notices} />
          </Suspense>
        </ErrorBoundary>
      )}
    </NoticesContext>
  )
}
