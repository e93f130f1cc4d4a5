import { type Address, type Hex, keccak256, numberToHex, toHex } from 'viem'
import type { Family } from './families.ts'
import type { Deployed, Requests } from './play.ts'

/** Reads the referrers that the contracts store: by the view if there is one, otherwise from the storage. */
export async function readStored(
  requests: Requests,
  { contract, kept }: Deployed,
  members: readonly Address[],
): Promise<(Address | null)[]> {
  const { form, name, before, input } = kept
  const words =
    form === 'id'
      ? await readById(requests, contract, members)
      : form === 'private'
        ? await readPlaces(
            requests,
            contract,
            members.map((member) => placeOf(member, 0n) + BigInt(before)),
          )
        : await readView(requests, contract, { name, input, position: before }, members)
  return words.map((word, index) => toReferrer(word, [members[index] as Address, contract]))
}

function toReferrer(word: Hex, none: readonly Address[]): Address | null {
  const address: Address = `0x${word.slice(-40)}`
  return BigInt(word) === 0n || none.some((one) => one.toLowerCase() === address) ? null : address
}

const pad = (value: Hex | bigint) => BigInt(value).toString(16).padStart(64, '0')
const placeOf = (key: Hex | bigint, slot: bigint) => BigInt(keccak256(`0x${pad(key)}${pad(slot)}`))

async function readPlaces(requests: Requests, contract: Address, places: readonly bigint[]): Promise<Hex[]> {
  const params = places.map((place) => [contract, numberToHex(place, { size: 32 }), 'latest'])
  return (await requests(params.map((one) => ({ method: 'eth_getStorageAt', params: one })))) as Hex[]
}

/** Follows the private storage from a member to its id, the referrer's id, and the referrer. */
async function readById(requests: Requests, contract: Address, members: readonly Address[]): Promise<Hex[]> {
  let keys: (Hex | bigint)[] = [...members]
  for (const slot of [0n, 2n, 1n])
    keys = await readPlaces(
      requests,
      contract,
      keys.map((key) => placeOf(key, slot)),
    )
  return keys as Hex[]
}

async function readView(
  requests: Requests,
  to: Address,
  { name, input, position }: { name: string; input: Family['kept']['input']; position: number },
  members: readonly Address[],
): Promise<Hex[]> {
  const further = input === 'level' ? 'uint8' : 'address'
  const selector = keccak256(toHex(`${name}(address${input ? `,${further}` : ''})`)).slice(0, 10)
  const rest = input ? pad(input === 'level' ? 1n : 0n) : ''
  const calls = members.map((member) => ({ to, data: `${selector}${pad(member)}${rest}` }))
  const results = await requests(calls.map((call) => ({ method: 'eth_call', params: [call, 'latest'] })))
  return (results as Hex[]).map((result): Hex => `0x${result.slice(2 + position * 64, 66 + position * 64)}`)
}
