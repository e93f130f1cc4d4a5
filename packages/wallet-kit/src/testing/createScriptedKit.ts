import { custom, type Transport } from 'viem'
import { bsc } from 'viem/chains'
import { createWalletKit } from '../core/createWalletKit.ts'
import type { WalletKitConfig } from '../core/state/config.ts'
import type { WalletKit } from '../core/WalletKit.ts'
import { announceWallet } from './announceWallet.ts'
import { createScriptedWallet, type ScriptedWallet, type ScriptedWalletOptions } from './createScriptedWallet.ts'
import { memoryStorage } from './memoryStorage.ts'

export type ScriptedKitOptions = Pick<WalletKitConfig, 'wallets'> &
  Partial<WalletKitConfig> & {
    /** Installed wallets, by the rdns they announce. */
    installed?: Readonly<Record<string, ScriptedWalletOptions & { name?: string }>>
    /** Results of the nodes, by method: a value or a function that returns it. Default: a balance of 1.2345. */
    node?: Readonly<Record<string, unknown>>
  }

export type ScriptedKit = {
  kit: WalletKit
  /** The installed wallets, by rdns. */
  installed: Record<string, ScriptedWallet>
  /** Destroys the kit and removes its wallets. */
  destroy: () => void
}

/** Creates a kit with scripted wallets and a scripted node, to bring a page into any state in tests and stories. */
export function createScriptedKit({ installed = {}, node, ...config }: ScriptedKitOptions): ScriptedKit {
  const wallets = Object.entries(installed).map(([rdns, { name = rdns, ...options }]) => {
    const wallet = createScriptedWallet(options)
    return { rdns, wallet, uninstall: announceWallet({ info: { name, rdns }, provider: wallet.provider }) }
  })
  const chains = config.chains ?? [bsc]
  const kit = createWalletKit({
    appName: 'Scripted',
    storage: memoryStorage(),
    transports: Object.fromEntries(chains.map(({ id }) => [id, createNode(node)])),
    ...config,
    chains,
  })
  return {
    kit,
    installed: Object.fromEntries(wallets.map(({ rdns, wallet }) => [rdns, wallet])),
    destroy: () => {
      kit.destroy()
      for (const { uninstall } of wallets) uninstall()
    },
  }
}

function createNode(answers: Readonly<Record<string, unknown>> = {}): Transport {
  const all: Readonly<Record<string, unknown>> = { eth_getBalance: '0x1121d33597384000', ...answers }
  return custom({
    request: async ({ method }: { method: string }) => {
      const answer = all[method] ?? null
      return typeof answer === 'function' ? answer() : answer
    },
  })
}
