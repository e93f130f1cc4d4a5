import { type Address, BaseError, type Client, parseAbi } from 'viem'
import { readContract } from 'viem/actions'
import { namehash } from 'viem/ens'
import { parseAvatar } from '../lib/parseUntrusted.ts'
import type { AccountName } from '../state/state.ts'
import { parseName } from './parseName.ts'

/**
 * SPACE ID's registry of .bnb names on BNB Smart Chain, an ENS registry.
 *
 * @see https://bscscan.com/address/0x08CEd32a7f3eeC915Ba84415e9C07a7286977956
 * @see https://github.com/Space-ID/sidjs (`getSidAddress('56')`)
 */
const registry: Address = '0x08CEd32a7f3eeC915Ba84415e9C07a7286977956'

const abi = parseAbi([
  'function resolver(bytes32 node) view returns (address)',
  'function name(bytes32 node) view returns (string)',
  'function addr(bytes32 node) view returns (address)',
  'function text(bytes32 node, string key) view returns (string)',
])

/**
 * Reads the .bnb name that an account has set for itself. Any account can set any name, so it counts only if the name
 * resolves to the account.
 *
 * @see https://eips.ethereum.org/EIPS/eip-181
 */
export async function findBnbName(client: Client, address: Address): Promise<AccountName> {
  const reader = toReader(client)
  const account = address.toLowerCase()
  const reverse = await findResolver(reader, `${account.slice(2)}.addr.reverse`)
  const name = reverse && parseName(await orUndefined(readContract(reader, { ...reverse, functionName: 'name' })))
  if (!name?.endsWith('.bnb')) return {}
  const forward = await findResolver(reader, name)
  const owner = forward && (await orUndefined(readContract(reader, { ...forward, functionName: 'addr' })))
  if (!forward || owner?.toLowerCase() !== account) return {}
  const avatar = await readContract(reader, {
    abi,
    address: forward.address,
    functionName: 'text',
    args: [...forward.args, 'avatar'],
  }).then(parseAvatar, () => undefined)
  return { name, ...(avatar && { avatar }) }
}

/** Reads the account that a name in its normal form resolves to. Returns `undefined` if there is none. */
export async function findBnbAddress(client: Client, name: string): Promise<Address | undefined> {
  const reader = toReader(client)
  const records = await findResolver(reader, name)
  const address = records && (await orUndefined(readContract(reader, { ...records, functionName: 'addr' })))
  return !address || isZero(address) ? undefined : address
}

/** Returns a client without CCIP-Read (EIP-3668), which would let a record make the page contact any server. */
const toReader = (client: Client): Client => ({ ...client, ccipRead: false })

/**
 * Reads the contract that holds the records of a name, with the node to pass to it. Returns `undefined` if there is
 * none.
 */
async function findResolver(client: Client, name: string) {
  const args = [namehash(name)] as const
  const address = await orUndefined(readContract(client, { abi, address: registry, functionName: 'resolver', args }))
  return !address || isZero(address) ? undefined : { abi, address, args }
}

const isZero = (address: Address) => /^0x0+$/.test(address)

/** Resolves with `undefined` when the contract is missing or reverts. Rejects when the node cannot be reached. */
async function orUndefined<T>(answer: Promise<T>): Promise<T | undefined> {
  try {
    return await answer
  } catch (thrown) {
    const isRefusal =
      thrown instanceof BaseError &&
      thrown.walk((error) =>
        /^(ContractFunctionRevertedError|(ContractFunction|AbiDecoding)ZeroDataError)$/.test((error as Error).name),
      )
    if (isRefusal) return undefined
    throw thrown
  }
}
