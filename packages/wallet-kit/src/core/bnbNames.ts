import { type Address, BaseError, type Client, parseAbi } from 'viem'
import { readContract } from 'viem/actions'
import { namehash } from 'viem/ens'
import { toAvatar } from './foreign.ts'
import type { AccountName } from './state.ts'
import { toName } from './toName.ts'

/**
 * SPACE ID's registry of .bnb on BNB Smart Chain: an ENS registry of its own.
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
 * The .bnb name that an account has chosen for itself. Anybody can claim any name in this way, so it counts only if the name
 * leads back to the account.
 *
 * @see https://eips.ethereum.org/EIPS/eip-181
 */
export async function findBnbName(client: Client, address: Address): Promise<AccountName> {
  const reader = toReader(client)
  const account = address.toLowerCase()
  const reverse = await findResolver(reader, `${account.slice(2)}.addr.reverse`)
  const name = reverse && toName(await orNone(readContract(reader, { ...reverse, functionName: 'name' })))
  if (!name?.endsWith('.bnb')) return {}
  const forward = await findResolver(reader, name)
  const owner = forward && (await orNone(readContract(reader, { ...forward, functionName: 'addr' })))
  if (!forward || owner?.toLowerCase() !== account) return {}
  const avatar = await readContract(reader, {
    abi,
    address: forward.address,
    functionName: 'text',
    args: [...forward.args, 'avatar'],
  }).then(toAvatar, () => undefined)
  return { name, ...(avatar && { avatar }) }
}

/** The account that a name, in its normal form, leads to. `undefined` for a name that leads nowhere. */
export async function findBnbAddress(client: Client, name: string): Promise<Address | undefined> {
  const reader = toReader(client)
  const records = await findResolver(reader, name)
  const address = records && (await orNone(readContract(reader, { ...records, functionName: 'addr' })))
  return !address || isNone(address) ? undefined : address
}

/** A record must not be able to send the page to a server of its choice. */
const toReader = (client: Client): Client => ({ ...client, ccipRead: false })

/** Where the records of a name are, and under which node; `undefined` where it has none. */
async function findResolver(client: Client, name: string) {
  const args = [namehash(name)] as const
  const address = await orNone(readContract(client, { abi, address: registry, functionName: 'resolver', args }))
  return !address || isNone(address) ? undefined : { abi, address, args }
}

const isNone = (address: Address) => /^0x0+$/.test(address)

/** A contract that is missing or refuses has no record; a node that cannot be asked is an error. */
async function orNone<T>(answer: Promise<T>): Promise<T | undefined> {
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
