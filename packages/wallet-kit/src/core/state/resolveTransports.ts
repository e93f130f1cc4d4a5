import type { Transport } from 'viem'
import { httpTransport } from '../provider/httpTransport.ts'
import type { ResolvedConfig, WalletKitConfig } from './config.ts'

/** Returns the configuration with a transport for each URL. */
export function resolveTransports(config: WalletKitConfig): ResolvedConfig {
  const transports = Object.entries<Transport | string>(config.transports).map(([chainId, transport]) => [
    chainId,
    typeof transport === 'string' ? httpTransport(transport) : transport,
  ])
  return { ...config, transports: Object.fromEntries(transports) }
}
