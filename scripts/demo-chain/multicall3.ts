import type { Address, Hex } from 'viem'
import multicall3 from './contract/Multicall3.json' with { type: 'json' }

/** The address of Multicall3 on BNB Smart Chain and most other chains (https://www.multicall3.com). */
export const multicall3Address: Address = '0xcA11bde05977b3631167028862bE2a173976CA11'

/** Puts Multicall3 at its canonical address, so that batched reads work as on BNB Smart Chain. */
export async function installMulticall3(request: (method: string, parameters: unknown[]) => Promise<unknown>) {
  await request('anvil_setCode', [multicall3Address, multicall3.runtimeBytecode as Hex])
}
