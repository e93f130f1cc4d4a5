import type { WalletKitConfig } from './config.ts'
import { ConfigurationError } from './errors.ts'

/** Says what is wrong with a configuration before anything is built on it. */
export function validateConfig({ wallets, chains, transports, initialChain, relayUrl, names }: WalletKitConfig): void {
  if (!wallets?.length) throw new ConfigurationError('No wallet list was provided')
  for (const group of wallets) {
    if (!group.wallets?.length) throw new ConfigurationError(`No wallets provided for group: ${group.groupName}`)
    for (const { name, iconAccent } of group.wallets)
      if (iconAccent !== undefined && !/^#([0-9a-f]{3,4}|[0-9a-f]{6}|[0-9a-f]{8})$/i.test(iconAccent))
        throw new ConfigurationError(`Property iconAccent is not a hex value for wallet: ${name}`)
  }
  if (!chains?.length) throw new ConfigurationError('No chains were provided')
  for (const { id, name } of chains)
    if (!transports?.[id]) throw new ConfigurationError(`No transport was provided for chain: ${name} (${id})`)
  if (relayUrl !== undefined && !/^wss?:\/\/\S+$/.test(relayUrl))
    throw new ConfigurationError(`The relayUrl is not a ws: or wss: address: ${relayUrl}`)
  if (names?.bnb && !chains.some(({ id }) => id === 56))
    throw new ConfigurationError('Names that end in .bnb are read on chain 56, which is not among the chains')
  const initialChainId = typeof initialChain === 'object' ? initialChain.id : initialChain
  if (initialChainId !== undefined && !chains.some(({ id }) => id === initialChainId))
    throw new ConfigurationError(`The initial chain is not among the chains: ${initialChainId}`)
}
