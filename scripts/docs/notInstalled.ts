/**
 * Declarations of packages that the documentation imports and this repository does not install, reduced to what it
 * uses: `@base-org/account` 2.5.10, `next` 16 and `@mui/material-nextjs` 9.
 */
export const notInstalled = `
declare module '@base-org/account' {
  type Options = {
    appName?: string
    appLogoUrl?: string | null
    appChainIds?: number[]
    preference?: { walletUrl?: string; telemetry?: boolean } & Record<string, unknown>
  }
  interface ProviderInterface {
    request(args: { readonly method: string; readonly params?: readonly unknown[] | object }): Promise<unknown>
    disconnect(): Promise<void>
  }
  export function createBaseAccountSDK(params: Options): { getProvider: () => ProviderInterface }
}
declare module 'next/headers' {
  export function headers(): Promise<Headers>
}
declare module '@mui/material-nextjs/v16-appRouter' {
  import type { JSX, ReactNode } from 'react'
  export function AppRouterCacheProvider(props: { children: ReactNode }): JSX.Element
}
`
