import { WalletNotAvailableError } from '../core/lib/errors.ts'
import type { ConnectorFactory } from '../core/wallets/wallet.ts'
import type { SafeFrame } from './openSafe.ts'

export type SafeOptions = {
  /**
   * Origins of pages that may frame this one as a Safe: texts, or patterns that match the whole origin. Default:
   * `https://app.safe.global`.
   */
  origins?: readonly (string | RegExp)[] | undefined
}

/**
 * Creates a connector for the Safe whose page frames this one. It connects automatically there, and is hidden
 * anywhere else.
 *
 * @param options - `origins` of pages that may frame this one.
 * @see https://github.com/safe-global/safe-apps-sdk
 * @example
 * const ours = { ...safeWallet, connectors: [safeConnector({ origins: ['https://safe.example'] })] }
 */
export function safeConnector({ origins = ['https://app.safe.global'] }: SafeOptions = {}): ConnectorFactory {
  const isAllowed = (origin: string) =>
    origins.some((allowed) => (typeof allowed === 'string' ? allowed : origin.match(allowed)?.[0]) === origin)

  return ({ signal }, { name }) => {
    const safe: SafeFrame = { isAllowed, signal }
    const open = async (isPicked: boolean) =>
      isFramed(isAllowed) ? (await import('./openSafe.ts')).openSafe(safe, isPicked) : undefined
    return {
      kind: 'safe',
      containsPage: () => isFramed(isAllowed),
      // A Safe is on one chain only.
      canSwitchTo: (chainId) => safe.found?.chainId === chainId,
      readTransaction: async (hash) => safe.found?.readTransaction(hash),
      isReady: () => safe.found !== undefined,
      getProvider: () => safe.found?.provider,
      connect: async () => {
        const connection = await open(true)
        if (!connection)
          throw new WalletNotAvailableError(`This page is not open in ${name}. Open it there as an app.`, {
            reason: 'notReachable',
          })
        return connection
      },
      reconnect: () => open(false),
    }
  }
}

/**
 * Checks whether a Safe may frame this page. In browsers without `ancestorOrigins` this is unknown, so the framing
 * page is asked.
 */
function isFramed(isAllowed: (origin: string) => boolean): boolean {
  if (typeof document === 'undefined' || window.parent === window) return false
  const { ancestorOrigins } = window.location as Partial<Pick<Location, 'ancestorOrigins'>>
  const parent = ancestorOrigins?.[0]
  return parent === undefined || isAllowed(parent)
}
