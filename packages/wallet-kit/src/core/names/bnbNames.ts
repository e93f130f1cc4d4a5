// A separate module, loaded on demand: few people type a name, and few pages show many accounts.
import { type Address, BaseError, type Client, parseAbi } from 'viem'
import { readContract } from 'viem/actions'
import { namehash, normalize } from 'viem/ens'
import { AbortedError, assertParameters, ConfigurationError, WalletKitError } from '../lib/errors.ts'
import { withTimeout } from '../lib/promises.ts'
import { isAddress, parseAvatar } from '../lib/untrusted.ts'
import { requestTimeout } from '../provider/eip1193.ts'
import { type KitContext, update } from '../state/context.ts'
import type { AccountName, NamedAddress, NameLookup } from '../state/state.ts'
import { showNames } from './cachedNames.ts'

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
async function findBnbAddress(client: Client, name: string): Promise<Address | undefined> {
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
export async function orUndefined<T>(answer: Promise<T>): Promise<T | undefined> {
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

const maxLength = 255

/**
 * Returns a name in its normal form. Returns `undefined` for names with invisible, direction or control characters,
 * mixed scripts or markup, and for names that look like an address.
 *
 * @see https://docs.ens.domains/ensip/15
 */
export function parseName(value: unknown): string | undefined {
  if (typeof value !== 'string' || value.length > maxLength) return undefined
  try {
    const name = normalize(value.trim())
    return name && !looksLikeAddress(name) ? name : undefined
  } catch {
    return undefined
  }
}

/**
 * Checks for 0x or ox and hex digits, even if separated. Up to seven digits before a dot count as a word:
 * `0xbabe.bnb`.
 */
function looksLikeAddress(name: string): boolean {
  const found = /^[0o]x([\da-f]*)((?:[^\p{L}\p{N}][\da-f]*)*?)(\.(?![a-f]+$)\p{L}+)?$/u.exec(name)
  if (!found) return false
  const [, digits = '', pieces, ending] = found
  return !ending || pieces !== '' || digits.length > 7
}

export type LookUpAddressParameters = { name: string }

/** Reads the account of a .bnb name from the chain. */
export async function lookUpAddress(
  context: KitContext,
  parameters: LookUpAddressParameters,
): Promise<NamedAddress | undefined> {
  assertParameters(parameters, 'name')
  const client = getClient(context)
  const name = parseName(parameters.name)
  if (!name?.endsWith('.bnb')) return undefined
  const address = await limitTime(context, findBnbAddress(client, name))
  return address && { name, address }
}

export type LookUpNamesParameters = { addresses: readonly Address[] }

/** Reads the .bnb names of many accounts in a few multicalls. */
export async function lookUpNames(context: KitContext, { addresses }: LookUpNamesParameters): Promise<AccountName[]> {
  const client = getClient(context)
  if (!Array.isArray(addresses) || !addresses.every(isAddress)) throw new WalletKitError('Invalid address')
  const found = await limitTime(context, Promise.all(addresses.map((address) => findBnbName(client, address))))
  const named = found.flatMap((known, at): [string, NameLookup][] => {
    const address = addresses[at]
    return address && known.name ? [[address.toLowerCase(), { status: 'ready', ...known }]] : []
  })
  if (named.length > 0) update(context, (state) => showNames(state, Object.fromEntries(named)))
  return found
}

function getClient({ config, clients }: KitContext): Client {
  if (!config.names?.bnb) throw new ConfigurationError('No source of names was configured.')
  return clients.getClient(56)
}

async function limitTime<T>({ signal }: KitContext, lookup: Promise<T>): Promise<T> {
  try {
    return await withTimeout(lookup, requestTimeout, () => new Error('The node did not answer in time.'), signal)
  } catch (cause) {
    if (signal.aborted) throw new AbortedError('The kit was destroyed before the lookup ended.')
    throw new WalletKitError('There was an error with the request.', { cause })
  }
}
