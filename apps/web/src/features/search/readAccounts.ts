// On its own, to be loaded on demand: what it brings of viem, few pages need.
import { type Address, type Client, decodeAbiParameters, encodeDeployData, type Hex, parseAbi } from 'viem'
import { call } from 'viem/actions'
import { bytecode } from './Accounts.json'

/** What an address is and holds. `delegated`: an account that has a contract act for it, by EIP-7702. */
export type OnChain = { kind: 'account' | 'contract' | 'delegated'; balance: bigint }

const abi = parseAbi(['constructor(address[] accounts)'])
const kinds = ['account', 'contract', 'delegated'] as const
const balanceBits = (1n << 248n) - 1n

/** Reads addresses of one chain, all in one call and so of one block. In their order. */
export async function readAccounts(client: Client, addresses: readonly Address[]): Promise<OnChain[]> {
  const data = encodeDeployData({ abi, bytecode: bytecode as Hex, args: [addresses] })
  const answer = await call(client, { data })
  const [words] = decodeAbiParameters([{ type: 'uint256[]' }], answer.data ?? '0x')
  if (words.length !== addresses.length) throw new Error('The node answered something else than was asked.')
  return words.map((word) => {
    const kind = kinds[Number(word >> 248n)]
    if (!kind) throw new Error('The node answered something else than was asked.')
    return { kind, balance: word & balanceBits }
  })
}
