import type { Address, Config } from '@lineage/referral-api'
import { useWalletConnection, useWalletKitState, WalletKitProvider } from '@lineage/wallet-kit'
import type { WalletKit, WalletKitState } from '@lineage/wallet-kit/core'
import { themeFromMui } from '@lineage/wallet-kit/mui'
import { useQueryClient } from '@tanstack/react-query'
import { createContext, type ReactNode, startTransition, use, useEffect, useState } from 'react'
import { useConfig } from '../../lib/api.ts'
import { useTranslation } from '../../lib/i18n.ts'
import { useNotify } from '../../lib/notices.ts'
import { isConnectionStored } from '../../lib/storage.ts'
import { nonce } from '../../lib/styles.ts'
import { whenWorks } from '../../lib/takeOver.tsx'
import { theme } from '../../lib/theme.ts'
import { loadTwice } from './lazyWithPreload.tsx'

const kitTheme = themeFromMui(theme)

const KitContext = createContext<(() => Promise<WalletKit>) | undefined>(undefined)

/**
 * Returns a function that waits until the wallet kit has been created. Before that, `useWalletKit` returns a kit without a
 * wallet, which reads nothing.
 */
export function useLoadKit(): () => Promise<WalletKit> {
  const load = use(KitContext)
  if (!load) throw new Error('useLoadKit is used outside of Providers.')
  return load
}

/**
 * Provides the wallet kit. Without one, creates it once the page works and `/v1/config` has arrived. Until then, another one
 * stands in for it.
 */
export function KitProvider({ kit: given, children }: { kit: WalletKit | undefined; children: ReactNode }) {
  const { i18n } = useTranslation()
  const { data: config } = useConfig()
  const [{ standIn, load, asked, replaceBy }] = useState(createStandIn)
  const kit = useCreatedKit(given ? undefined : config, asked) ?? given
  useEffect(() => kit && replaceBy(kit), [kit, replaceBy])
  useTransactionNotices(kit)
  // The button stays empty until it can show the account that is stored.
  const shown = kit ?? (isConnectionStored() ? undefined : standIn)
  const [stage, setStage] = useState<'starting' | 'works'>('starting')
  useEffect(() => whenWorks(() => setStage('works')), [])
  return (
    <KitContext value={load}>
      {/* Back closes the kit's dialogs like the page's own menus and dialogs. */}
      <WalletKitProvider
        kit={shown}
        locale={i18n.language}
        theme={kitTheme}
        closeOnBack="always"
        nonce={nonce}
        dialogs={stage === 'works' ? 'own' : 'onDemand'}
      >
        {children}
      </WalletKitProvider>
    </KitContext>
  )
}

/** Milliseconds until the code of the kit, if it was not loaded, is asked for again. */
const pause = 10_000

/** Creates the kit once the page works, or earlier when `asked` resolves. */
function useCreatedKit(config: Config | undefined, asked: Promise<void>): WalletKit | undefined {
  const [kit, setKit] = useState<WalletKit>()
  const [attempt, setAttempt] = useState(1)
  useEffect(() => {
    if (!config) return
    const ended = new AbortController()
    const { signal } = ended
    const create = async () => {
      const { createKit } = await loadTwice(() => import('../../lib/kit.ts'))
      const made = await createKit(config)
      if (signal.aborted) return made.destroy()
      signal.addEventListener('abort', made.destroy)
      // Reconnect before the first render with the kit.
      void made.reconnect()
      // Not before the page works: each part of it that the server has rendered would be taken over at once.
      startTransition(() => setKit(made))
    }
    let isBegun = false
    const begin = () => {
      if (isBegun || signal.aborted) return
      isBegun = true
      create().catch((error: unknown) => {
        console.error(error)
        if (signal.aborted) return
        const timer = setTimeout(() => setAttempt(attempt + 1), pause)
        signal.addEventListener('abort', () => clearTimeout(timer))
      })
    }
    whenWorks(begin)
    void asked.then(begin)
    return () => {
      setKit(undefined)
      ended.abort()
    }
  }, [config, asked, attempt])
  return kit
}

const disconnected: WalletKitState = {
  ...{ status: 'disconnected', isSupportedChain: true, wallets: [], recentWalletIds: [], dialog: { name: 'none' } },
  ...{ transactions: [], hasPendingTransactions: false, names: {} },
}

const doNothing = () => {}

/**
 * Creates a kit without a wallet, which the server and the first paint show, because the code of the real one is loaded after
 * the start of the page. A press on its button opens the dialog of the kit that replaces it.
 */
function createStandIn() {
  let replaceBy: (kit: WalletKit) => void = doNothing
  const created = new Promise<WalletKit>((resolve) => {
    replaceBy = resolve
  })
  let ask = doNothing
  const asked = new Promise<void>((resolve) => {
    ask = resolve
  })
  const load = () => {
    ask()
    return created
  }
  // Without a connection, it is asked for nothing else.
  const kit: Partial<WalletKit> = {
    config: { appName: 'Lineage', chains: [], transports: {}, wallets: [] } as never,
    getState: () => disconnected,
    subscribe: () => doNothing,
    onTransactionSettled: () => doNothing,
    reconnect: async () => undefined,
    openConnectDialog: async () => (await load()).openConnectDialog(),
    closeDialog: doNothing,
    destroy: doNothing,
  }
  return { standIn: kit as WalletKit, load, asked, replaceBy }
}

/** Shows a notice when a transaction settles, on any page, and reloads the data after one that took effect. */
export function useTransactionNotices(kit: WalletKit | undefined): void {
  const { t } = useTranslation()
  const notify = useNotify()
  const queryClient = useQueryClient()
  useEffect(
    () =>
      kit?.onTransactionSettled(({ hash, description, status, failureReason }, { chainId }) => {
        const explorer = kit.config.chains.find(({ id }) => id === chainId)?.blockExplorers?.default
        const text = `${t(`transaction.${failureReason ?? 'confirmed'}`)}\n${description}`
        const tone = status === 'confirmed' ? 'success' : failureReason === 'cancelled' ? 'info' : 'error'
        const link = explorer && {
          text: t('transaction.view', { explorer: explorer.name }),
          url: `${explorer.url}/tx/${hash}`,
        }
        notify(text, tone, link)
        if (status === 'confirmed' || failureReason === 'partial') void queryClient.invalidateQueries()
      }),
    [kit, t, notify, queryClient],
  )
}

export function useAccount(): Address | undefined {
  const { status, address } = useWalletConnection()
  return status === 'connected' ? address : undefined
}

/** Returns the signed-in account. */
export const useSignedIn = (): Address | undefined => useWalletKitState((state) => state.session?.address)
