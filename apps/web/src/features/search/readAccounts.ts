// Loaded on demand: few pages need these parts of viem.
import { type Address, type Client, decodeAbiParameters, encodeDeployData, type Hex, parseAbi } from 'viem'
import { call } from 'viem/actions'
import { bytecode } from './Accounts.json'

/** Kind and balance of an address. `delegated`: an account that delegates to a contract (EIP-7702). */
export type ChainAccount = { kind: 'account' | 'contract' | 'delegated'; balance: bigint }

const abi = parseAbi(['constructor(address[] accounts)'])
const kinds = ['account', 'contract', 'delegated'] as const
const balanceBits = (1n << 248n) - 1n

/** Reads kind and balance of addresses in one call, so at one block. Keeps their order. */
export async function readAccounts(client: Client, addresses: readonly Address[]): Promise<ChainAccount[]> {
  const data = encodeDeployData({ abi, bytecode: bytecode as Hex, args: [addresses] })
  const answer = await call(client, { data })
  const [words] = decodeAbiParameters([{ type: 'uint256[]' }], answer.data ?? '0x')
  if (words.length !== addresses.length)
    throw new Error(`The node returned ${words.length} accounts instead of ${addresses.length}.`)
  return words.map((word) => {
    const kind = kinds[Number(word >> 248n)]
    if (!kind) throw new Error('The node returned an unknown kind of account.')
    return { kind, balance: word & balanceBits }
  })
}
