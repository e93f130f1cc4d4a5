import { custom } from 'viem'
import { bsc, mainnet } from 'viem/chains'
import { onTestFinished } from 'vitest'
import { createWalletKit } from '../core/createWalletKit.ts'
import type { WalletKitConfig } from '../core/state/config.ts'
import { injectedConnector } from '../core/wallets/injected.ts'
import type { WalletDefinition } from '../core/wallets/wallet.ts'
import { announceWallet } from './announceWallet.ts'
import { createScriptedWallet, type ScriptedWalletOptions } from './createScriptedWallet.ts'
import { memoryStorage } from './memoryStorage.ts'

type SetupOptions = Partial<WalletKitConfig> & { a?: ScriptedWalletOptions; b?: ScriptedWalletOptions }

const define = (id: string, rest: Partial<WalletDefinition> = {}): WalletDefinition => ({
  id,
  name: `Wallet ${id.toUpperCase()}`,
  iconUrl: 'data:image/svg+xml,',
  iconBackground: '#fff',
  rdns: [`test.${id}`],
  connectors: [injectedConnector()],
  ...rest,
})

/** Creates a kit for this package's tests with two installed wallets, A and B, and one that is not installed, C. */
export function setupKit({ a: optionsA, b: optionsB, ...config }: SetupOptions = {}) {
  const a = createScriptedWallet(optionsA)
  const b = createScriptedWallet({ accounts: ['0x00000000219ab540356cBB839Cbe05303d7705Fa'], ...optionsB })
  const uninstallA = announceWallet({ info: { name: 'Wallet A', rdns: 'test.a' }, provider: a.provider })
  const uninstallB = announceWallet({ info: { name: 'Wallet B', rdns: 'test.b' }, provider: b.provider })
  const storage = config.storage ?? memoryStorage()
  const node = custom({ request: async () => null })

  /** Creates a kit like in another tab or after a reload: same wallets, same storage. */
  const createKit = (changes: Partial<WalletKitConfig> = {}) => {
    const kit = createWalletKit({
      appName: 'Test',
      chains: [bsc, mainnet],
      transports: { [bsc.id]: node, [mainnet.id]: node },
      wallets: [{ groupName: 'Popular', wallets: [define('a'), define('b'), define('c')] }],
      storage,
      ...config,
      ...changes,
    })
    onTestFinished(() => kit.destroy())
    return kit
  }
  onTestFinished(uninstallA)
  onTestFinished(uninstallB)
  return { kit: createKit(), createKit, a, b, uninstallA, storage }
}
