import type { Address, Client } from 'viem'
// On its own, to be loaded on demand: these two, and not every action of viem.
import { getBalance, getCode } from 'viem/actions'

export type OnChain = { kind: 'contract' | 'account'; balance: bigint }

/** What an address is and holds, of one chain. */
export async function readAccount(client: Client, address: Address): Promise<OnChain> {
  const [balance, code] = await Promise.all([getBalance(client, { address }), getCode(client, { address })])
  return { kind: code ? 'contract' : 'account', balance }
}
