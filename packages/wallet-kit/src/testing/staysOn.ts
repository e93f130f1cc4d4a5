import { injected } from '../core/wallets/injected.ts'
import type { ConnectorFactory } from '../core/wallets/wallet.ts'

/** Creates a connector for a wallet on the page that is known to stay on these chains, for tests and stories. */
export const staysOn =
  (chainIds: number | Iterable<number>): ConnectorFactory =>
  (context, definition) => ({
    ...injected()(context, definition),
    canSwitchTo: (target) => (typeof chainIds === 'number' ? [chainIds] : [...chainIds]).includes(target),
  })
