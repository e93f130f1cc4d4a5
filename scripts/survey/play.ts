import {
  type Abi,
  type Address,
  encodeDeployData,
  encodeFunctionData,
  getContractAddress,
  type Hex,
  keccak256,
  numberToHex,
  parseAbi,
} from 'viem'
import { compileSource } from '../demo-chain/compile.ts'
import { installMulticall3 } from '../demo-chain/contract.ts'
import { createRandom, type Random } from '../lib/createRandom.ts'
import { nameOf, toSource } from './contracts.ts'
import type { Family } from './families.ts'

/** A family whose contract is on the chain. */
export type Deployed = Family & { contract: Address }

type Call = { from: Address; to: Address | undefined; data: Hex }
export type Requests = (calls: readonly { method: string; params: unknown[] }[]) => Promise<unknown[]>

const abi = parseAbi([
  'function join(address referrer, uint256 value)',
  'function join(address family, address referrer, uint256 value)',
  'function transfer(address to, uint256 value)',
  'function setReferrer(address member, address referrer)',
])

const accountAt = (index: number): Address => `0x${keccak256(numberToHex(index)).slice(-40)}`
export const owner = accountAt(0)
/** Accounts that may become members. The last ones join after the first look. */
export const accounts = Array.from({ length: 40 }, (_, index) => accountAt(index + 1))
const [early, late, strangers] = [accounts.slice(0, 28), accounts.slice(28, 36), accounts.slice(36)]

/** Creates a client that sends several requests at once, and throws on the first error. */
export function createRequests(url: string): Requests {
  return async (calls) => {
    const body = JSON.stringify(calls.map((call, id) => ({ jsonrpc: '2.0', id, ...call })))
    const response = await fetch(url, { method: 'POST', headers: { 'content-type': 'application/json' }, body })
    const answers = (await response.json()) as { id: number; result?: unknown; error?: { message: string } }[]
    const failed = answers.find(({ error }) => error)
    if (failed) throw new Error(`The chain refused ${calls[failed.id]?.method}: ${failed.error?.message}`)
    return answers.toSorted((left, right) => left.id - right.id).map(({ result }) => result)
  }
}

/** Deploys the contract of each family. */
export async function deploy(requests: Requests, families: readonly Family[]): Promise<Deployed[]> {
  const compiled = compileSource('survey.sol', toSource(families))
  await installMulticall3((method, params) => requests([{ method, params }]))
  await requests([
    { method: 'anvil_autoImpersonateAccount', params: [true] },
    { method: 'evm_setAutomine', params: [false] },
    { method: 'evm_setBlockGasLimit', params: [numberToHex(3_000_000_000)] },
    ...[owner, ...accounts].map((account) => ({
      method: 'anvil_setBalance',
      params: [account, numberToHex(10n ** 24n)],
    })),
  ])
  const addressAt = (nonce: number) => getContractAddress({ from: owner, nonce: BigInt(nonce) })
  const [token, operator] = [addressAt(0), addressAt(1)]
  const creations = ['Token', 'Operator', ...families.map(nameOf)].map((name, index): Call => {
    const contract = compiled[name] as { abi: Abi; bytecode: Hex }
    const args = index < 2 ? [] : [token, operator]
    return { from: owner, to: undefined, data: encodeDeployData({ ...contract, args }) }
  })
  for (let first = 0; first < creations.length; first += 20)
    await sendBlock(requests, creations.slice(first, first + 20), 5_000_000)
  return families.map((family, index) => ({ ...family, contract: addressAt(index + 2) }))
}

/** Sends transactions, and mines them as one block. */
async function sendBlock(requests: Requests, calls: readonly Call[], gas: number): Promise<void> {
  const senders = [...new Set(calls.map(({ from }) => from))]
  const counts = await requests(
    senders.map((sender) => ({ method: 'eth_getTransactionCount', params: [sender, 'latest'] })),
  )
  const nonces = new Map(senders.map((sender, index) => [sender, Number(counts[index])]))
  const transactions = calls.map(({ from, to, data }) => {
    // The chain works on several requests at once, so it cannot count by itself.
    const nonce = nonces.get(from) ?? 0
    nonces.set(from, nonce + 1)
    return { from, ...(to && { to }), data, gas: numberToHex(gas), nonce: numberToHex(nonce) }
  })
  await requests(transactions.map((transaction) => ({ method: 'eth_sendTransaction', params: [transaction] })))
  await requests([{ method: 'evm_mine', params: [] }])
}

/** Lets accounts act on all contracts: each block has at most one action of a contract. */
export async function play(
  requests: Requests,
  families: readonly Deployed[],
  scene: 'first' | 'second',
): Promise<void> {
  const plans = families.map((family) => planActions(family, scene))
  const longest = Math.max(...plans.map(({ length }) => length))
  for (let round = 0; round < longest; round++)
    await sendBlock(
      requests,
      plans.flatMap((plan) => plan[round] ?? []),
      1_500_000,
    )
}

function planActions(family: Deployed, scene: 'first' | 'second'): Call[] {
  const random = createRandom(Number(family.number) * 2 + (scene === 'first' ? 0 : 1))
  const joining = scene === 'first' ? early : late
  const known = scene === 'first' ? [] : early
  const isToken = family.trigger === 'receipt' || family.trigger === 'twoWay'
  const actions = isToken
    ? planTransfers(family, random, { joining, known })
    : planJoins(family, random, { joining, known })
  return [...actions, ...(family.silent ? planMoves(family, random, [...known, ...joining]) : [])]
}

type Cast = { joining: readonly Address[]; known: readonly Address[] }

/** Lets each account join below an earlier one, the owner or a stranger; then some act again and name another. */
function planJoins(family: Deployed, random: Random, { joining, known }: Cast): Call[] {
  const first = joining.map((member, index) => {
    const earlier = [owner, ...known, ...joining.slice(0, index)]
    return join(family, member, random.next() < 0.1 ? random.pick(strangers) : random.pick(earlier))
  })
  const again = joining.map(() => join(family, random.pick([...known, ...joining]), random.pick([...accounts, owner])))
  return [...first, ...again]
}

function join({ trigger, contract, before, number }: Deployed, from: Address, referrer: Address): Call {
  const value = 10n ** 18n + BigInt(number) + BigInt(before.length)
  return trigger === 'operator'
    ? {
        from,
        to: operatorAddress,
        data: encodeFunctionData({ abi, functionName: 'join', args: [contract, referrer, value] }),
      }
    : { from, to: contract, data: encodeFunctionData({ abi, functionName: 'join', args: [referrer, value] }) }
}

const operatorAddress = getContractAddress({ from: owner, nonce: 1n })

/** Lets the owner send to some; then holders send to others, who often send back, and to a contract. */
function planTransfers({ contract }: Deployed, random: Random, { joining, known }: Cast): Call[] {
  const held = new Map<Address, bigint>([[owner, 10n ** 30n]])
  const transfer = (from: Address, to: Address): Call => {
    const value = (held.get(from) ?? 0n) / 4n
    held.set(from, (held.get(from) ?? 0n) - value)
    held.set(to, (held.get(to) ?? 0n) + value)
    return { from, to: contract, data: encodeFunctionData({ abi, functionName: 'transfer', args: [to, value] }) }
  }
  return joining.flatMap((to, index) => {
    const holders = [...known, ...joining.slice(0, index)]
    const from = index < 4 ? owner : random.pick(holders.filter((holder) => held.has(holder)))
    return [
      transfer(from, to),
      ...(random.next() < 0.7 ? [transfer(to, from)] : []),
      ...(random.next() < 0.2 ? [transfer(to, operatorAddress)] : []),
      ...(holders.length > 1 && random.next() < 0.3 ? [transfer(to, random.pick(holders))] : []),
    ]
  })
}

const planMoves = ({ contract }: Deployed, random: Random, members: readonly Address[]): Call[] =>
  Array.from({ length: 5 }, () => ({
    ...{ from: owner, to: contract },
    data: encodeFunctionData({ abi, functionName: 'setReferrer', args: [random.pick(members), random.pick(members)] }),
  }))
