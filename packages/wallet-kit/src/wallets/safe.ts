import { WalletNotAvailableError } from '../core/lib/errors.ts'
import type { ConnectorFactory } from '../core/wallets/wallet.ts'
import type { OpenSafe } from './openSafe.ts'

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
    let found: OpenSafe | undefined
    const open = async () => {
      if (!isFramed(isAllowed)) return undefined
      const safe = await import('./openSafe.ts')
      found ??= await safe.openSafe(isAllowed, signal)
      return found
    }
    return {
      kind: 'safe',
      containsPage: () => isFramed(isAllowed),
      // A Safe is on one chain only.
      canSwitchTo: (chainId) => found?.chainId === chainId,
      readTransaction: async (hash) => found?.readTransaction(hash),
      isReady: () => found !== undefined,
      getProvider: () => found?.provider,
      connect: async () => {
        const connection = await open()
        if (!connection)
          throw new WalletNotAvailableError(`This page is not open in ${name}. Open it there as an app.`, {
            reason: 'notReachable',
          })
        return connection
      },
      reconnect: open,
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
