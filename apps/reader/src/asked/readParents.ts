import { type Community, type Parent, type ParentView, selectorOf, zeroAddress } from '@lineage/communities'
import type { AbiParameter, Address, Hex } from 'viem'
import {
  concat,
  decodeAbiParameters,
  decodeFunctionResult,
  encodeAbiParameters,
  encodeFunctionData,
  keccak256,
  numberToHex,
  parseAbi,
  size,
  slice,
} from 'viem/utils'
import type { Nodes } from '../nodes/createNodes.ts'
import { mapConcurrently } from '../nodes/mapConcurrently.ts'
import { hasReverted, NodeError, ranOutOfGas } from '../nodes/nodeError.ts'

type Requests = Pick<Nodes, 'request'>

/** The block whose state is read: by its hash, or by its number where the chain cannot have forked. */
export type StateAt = Hex | number

/** The answer about a member: its referrer, `null` for none, or `undefined` if the contract reverts or returns something else. */
export type ParentAnswer = Address | null | undefined

/** The same; `failed` if the contract itself reverts, as some do for addresses that never took part. */
export type PlainAnswer = ParentAnswer | 'failed'

/** Addresses that have certainly never used a contract. */
export const strangers: readonly Address[] = [
  '0x5d1f3c7e9ab24680fedcba9876543210a1b2c3d4',
  '0x9c8b7a6f5e4d3c2b1a0f1e2d3c4b5a6978879605',
  '0xe1d2c3b4a59687786950413223140506f7e8d9ca',
]

const membersAtOnce = 500
/** Number of concurrent requests where members are asked for one by one. */
const concurrency = 8

/** @see https://www.multicall3.com */
const multicall: Address = '0xcA11bde05977b3631167028862bE2a173976CA11'
const multicallAbi = parseAbi([
  'struct Call { address target; bool allowFailure; bytes callData; }',
  'struct Result { bool success; bytes returnData; }',
  'function aggregate3(Call[] calls) payable returns (Result[])',
  'function getCurrentBlockTimestamp() view returns (uint256)',
])

/**
 * Reads the referrers of members from the contract, by the first of the community's ways that knows one. The zero
 * address, the contract itself and the member itself mean none.
 *
 * @throws {NodeError} if no node has the state of the block, or none answers
 */
export async function readParents(
  requests: Requests,
  community: Pick<Community, 'address' | 'parents'>,
  members: readonly Address[],
  at: StateAt,
): Promise<ParentAnswer[]> {
  const answers = await readAnswers(requests, community, members, at)
  return answers.map((answer) => (answer === 'failed' ? undefined : answer))
}

/** Reads the same as `readParents`, and tells where the contract itself fails. */
export async function readAnswers(
  { request }: Requests,
  { address, parents }: Pick<Community, 'address' | 'parents'>,
  members: readonly Address[],
  at: StateAt,
): Promise<PlainAnswer[]> {
  const answers = new Map<Address, PlainAnswer>()
  const block = typeof at === 'number' ? numberToHex(at) : { blockHash: at }
  for (const parent of parents) {
    const open = members.filter((member) => [undefined, null, 'failed'].includes(answers.get(member)))
    const found = await readWay({ request, block }, parent, open)
    for (const [index, member] of open.entries()) {
      const answer = found[index] === null ? 'failed' : (found[index]?.toLowerCase() as Address | undefined)
      const isNone = answer === zeroAddress || answer === member.toLowerCase() || answer === address.toLowerCase()
      if (answer === 'failed' ? !answers.has(member) : answer !== undefined) answers.set(member, isNone ? null : answer)
    }
  }
  return members.map((member) => answers.get(member))
}

/** Returns whether there is a contract at an address, in the newest block or in another one. */
export async function hasCode({ request }: Requests, address: Address, block?: number): Promise<boolean> {
  const params = [address, block === undefined ? 'latest' : numberToHex(block)]
  return (await request({ method: 'eth_getCode', params })) !== '0x'
}

/**
 * Returns the block in which a contract was deployed if that is before `before`, by bisection; `unknown` if no node has
 * states so old, and `undefined` if the contract is not older.
 */
export async function findDeployment(
  { request }: Requests,
  address: Address,
  before: number,
): Promise<number | 'unknown' | undefined> {
  const existsAt = (block: number) => hasCode({ request }, address, block)
  if (before === 0) return undefined
  try {
    if (!(await existsAt(before - 1))) return undefined
    let [absent, exists] = [-1, before - 1]
    while (exists - absent > 1) {
      const middle = Math.floor((absent + exists) / 2)
      if (await existsAt(middle)) exists = middle
      else absent = middle
    }
    return exists
  } catch (error) {
    if (error instanceof NodeError) return 'unknown'
    throw error
  }
}

/** Returns whether the nodes have the states of the oldest blocks of all contracts that are asked. */
export async function findStates(
  { request }: Requests,
  communities: readonly Community[],
): Promise<'archive' | 'recent'> {
  const first = Math.min(...communities.filter(({ asked }) => asked).map(({ startBlock }) => startBlock))
  if (!Number.isFinite(first)) return 'recent'
  const params = [multicall, numberToHex(first)]
  const code = await request({ method: 'eth_getCode', params }).catch(() => undefined)
  return typeof code === 'string' ? 'archive' : 'recent'
}

type Context = Requests & { block: Hex | { blockHash: Hex } }

/** Reads one way for each member: `null` where the contract reverts, `undefined` where it returns something else. */
async function readWay(
  context: Context,
  parent: Parent,
  members: readonly Address[],
): Promise<(Address | null | undefined)[]> {
  if (parent.kind === 'slot') return readSlots(context, parent, members)
  let values: unknown[] = [...members]
  for (let view: ParentView | undefined = parent; view; view = view.next)
    values = await readView(context, parent.address, view, values)
  return values as (Address | null | undefined)[]
}

/** Calls a view with each value. A call that reverts gives `null`, and one whose result is something else `undefined`. */
async function readView(
  context: Context,
  target: Address,
  view: ParentView,
  values: readonly unknown[],
): Promise<unknown[]> {
  const { item, input, args } = view
  const inputs = item.inputs.map((one, index) => (index === input ? toBytes(one) : one))
  const calls = values.map((value) =>
    value === undefined || value === null
      ? undefined
      : {
          target,
          callData: concat([selectorOf(item), encodeAbiParameters(inputs, args.toSpliced(input, 0, value))]),
        },
  )
  const results = await callAll(
    context,
    calls.filter((call) => call !== undefined),
  )
  return calls.map((call, index) => {
    if (!call) return values[index]
    const data = results.shift()
    return typeof data === 'string' ? decodeOutput(view, data) : data
  })
}

type Call = { target: Address; callData: Hex }

/** Result of a call; `null` if it reverts, and `undefined` if the nodes refuse it. */
type Result = Hex | null | undefined

/** Calls contracts, 500 calls a request. */
export async function callAll(context: Context, calls: readonly Call[]): Promise<Result[]> {
  const parts = Array.from({ length: Math.ceil(calls.length / membersAtOnce) }, (_, index) =>
    calls.slice(index * membersAtOnce, (index + 1) * membersAtOnce),
  )
  const found: Result[] = []
  const patience = { endless: 0 }
  for (const part of parts) found.push(...(await callTogether({ ...context, patience }, part)))
  return found
}

/**
 * Gas of a call, and of each member in it: a view without an end must not keep a node busy. `alone`: of a call that the others
 * do not suffice for, as views that go through all referrals of a member. It is as much as nodes grant by default.
 */
const gas = { call: 2_000_000, member: 100_000, alone: 50_000_000 }
/** Number of calls that use up even that before the others are no longer tried with it. */
const mostEndless = 5
/** The context of several calls; `endless` counts those that used up even that. */
type Patient = Context & { patience: { endless: number } }
const gasOf = (members: number) => numberToHex(gas.call + gas.member * members)

const encodeCalls = (calls: readonly Call[]) =>
  encodeFunctionData({
    abi: multicallAbi,
    functionName: 'aggregate3',
    args: [calls.map((call) => ({ ...call, allowFailure: true }))],
  })

/** A call that takes a multiple of the gas of a view. It fails if views before it have left too little for others. */
const probe: Call = {
  target: multicall,
  callData: encodeCalls(
    Array.from({ length: 50 }, () => ({
      target: multicall,
      callData: encodeFunctionData({ abi: multicallAbi, functionName: 'getCurrentBlockTimestamp' }),
    })),
  ),
}

/** Calls all at once, or in halves if that fails: one that uses up all gas must not hide the others. */
async function callTogether(context: Patient, calls: readonly Call[]): Promise<Result[]> {
  if (calls.length === 1) return [await callOne(context, calls[0] as Call)]
  const together = { to: multicall, data: encodeCalls([...calls, probe]), gas: gasOf(calls.length) }
  const result = await tryCall(context, [together, context.block])
  // Before Multicall3 was deployed, the result is empty.
  if (result === '0x') return mapConcurrently(calls, concurrency, (call) => callOne(context, call))
  const answers = typeof result === 'string' ? decodeMulticall(result, calls.length + 1) : undefined
  if (typeof answers?.pop() === 'string') return answers
  const half = Math.ceil(calls.length / 2)
  return [...(await callTogether(context, calls.slice(0, half))), ...(await callTogether(context, calls.slice(half)))]
}

/** Calls a contract, with more gas if the usual one does not suffice. */
async function callOne(context: Patient, { target, callData }: Call): Promise<Result> {
  const { patience, block } = context
  const callWith = (gas: Hex) => tryCall(context, [{ to: target, data: callData, gas }, block])
  const result = await callWith(gasOf(1))
  if (result !== outOfGas) return result
  if (patience.endless >= mostEndless) return undefined
  const again = await callWith(numberToHex(gas.alone))
  if (again !== outOfGas) return again
  patience.endless++
  return undefined
}

/** Result of a call that used up its gas. */
const outOfGas = Symbol('out of gas')

async function tryCall({ request }: Requests, params: readonly unknown[]): Promise<Result | typeof outOfGas> {
  try {
    return (await request({ method: 'eth_call', params })) as Hex
  } catch (error) {
    if (!(error instanceof NodeError) || error.kind !== 'refused') throw error
    if (error.rpcError && ranOutOfGas(error.rpcError)) return outOfGas
    return error.rpcError && hasReverted(error.rpcError) ? null : undefined
  }
}

function decodeMulticall(data: Hex, count: number): Result[] | undefined {
  try {
    const results = decodeFunctionResult({ abi: multicallAbi, functionName: 'aggregate3', data })
    if (results.length !== count) return undefined
    return results.map(({ success, returnData }) => (success ? returnData : null))
  } catch {
    return undefined
  }
}

function decodeOutput({ item, path }: ParentView, data: Hex): unknown {
  try {
    // Without names, a tuple is decoded to a list.
    const values: unknown = decodeAbiParameters(item.outputs.map(toWords), data)
    const value = path.reduce((whole, index) => (whole as readonly unknown[] | undefined)?.[index], values)
    if (typeof value !== 'bigint' || !isAddress(item.outputs, path)) return value
    return value < 2n ** 160n ? numberToHex(value, { size: 20 }) : undefined
  } catch {
    return undefined
  }
}

/** Takes a text for its bytes: those of a code may be no text. */
const toBytes = (parameter: AbiParameter): AbiParameter => ({
  ...parameter,
  type: parameter.type.replace(/^string/, 'bytes'),
})

/** Removes the name of an output, and reads addresses as numbers: more than twenty bytes are no address. */
function toWords(parameter: AbiParameter): AbiParameter {
  const type = toBytes(parameter).type.replace(/^address/, 'uint256')
  return 'components' in parameter ? { type, components: parameter.components.map(toWords) } : { type }
}

function isAddress(outputs: readonly AbiParameter[], [index = 0, ...rest]: readonly number[]): boolean {
  const output = outputs[index]
  if (output && 'components' in output && rest.length > 0) return isAddress(output.components, rest)
  return output?.type.startsWith('address') === true
}

/**
 * Code that returns the values of the storage places in its input. Put in place of the contract's own code for one call,
 * it reads a private mapping for many members at once.
 *
 * It is a loop of `mstore(i, sload(calldataload(i)))` over the words of the input, then `return(0, calldatasize)`.
 */
const readerCode = '0x60005b3681101560155780355481526020016002565b366000f3'

/**
 * Reads an entry of a private mapping for each member. Nodes that do not allow the code of a contract to be replaced in
 * a call are asked for each place.
 *
 * @see https://docs.soliditylang.org/en/latest/internals/layout_in_storage.html
 */
async function readSlots(
  context: Context,
  { address, slot, offset }: Extract<Parent, { kind: 'slot' }>,
  members: readonly Address[],
): Promise<(Address | undefined)[]> {
  const places = members.map((member) => {
    const start = keccak256(encodeAbiParameters([{ type: 'address' }, { type: 'uint256' }], [member, slot]))
    return numberToHex(BigInt.asUintN(256, BigInt(start) + offset), { size: 32 })
  })
  const found: (Address | undefined)[] = []
  for (let first = 0; first < places.length; first += membersAtOnce) {
    const part = places.slice(first, first + membersAtOnce)
    const override = { [address]: { code: readerCode } }
    const words = await tryCall(context, [{ to: address, data: concat(part) }, context.block, override]).catch(
      (error) => {
        // One node may lack the state, and the one that has it not allow this.
        if (error instanceof NodeError && error.kind === 'missing') return undefined
        throw error
      },
    )
    if (typeof words === 'string' && size(words) === part.length * 32)
      found.push(...part.map((_, index) => toAddress(slice(words, index * 32, index * 32 + 32))))
    else found.push(...(await mapConcurrently(part, concurrency, (place) => readPlace(context, address, place))))
  }
  return found
}

async function readPlace({ request, block }: Context, address: Address, place: Hex): Promise<Address | undefined> {
  const word = await request({ method: 'eth_getStorageAt', params: [address, place, block] })
  return typeof word === 'string' && /^0x[0-9a-f]{64}$/i.test(word) ? toAddress(word as Hex) : undefined
}

const toAddress = (word: Hex): Address => slice(word, 12)
