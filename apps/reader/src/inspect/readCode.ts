import { contractInfo } from 'evmole'
import { type Address, getAddress, type Hex, keccak256, numberToHex, slice, toHex, zeroAddress } from 'viem'
import type { Nodes } from '../nodes/createNodes.ts'

type Requests = Pick<Nodes, 'request'>

/**
 * A function in the code of a contract. `words`: those of 32 bytes that it may push, topics of its events among them;
 * `undefined` if the code cannot be followed.
 */
export type CodeFunction = {
  selector: Hex
  inputs: string[]
  kind: 'view' | 'write'
  words: ReadonlySet<Hex> | undefined
}

/** A mapping by address in the storage, and the functions that read and change it. */
export type CodeMapping = { slot: bigint; value: string; readers: Hex[]; writers: Hex[] }

/** Address that has code, and how the contract leads to it. */
type CodePart = { address: Address; via: string; bytes: number }

export type Code = {
  /** The contract itself, then the contracts whose code it runs. */
  parts: CodePart[]
  functions: CodeFunction[]
  mappings: CodeMapping[]
  /** Words of 32 bytes in the code: topics of events among them. */
  words: ReadonlySet<Hex>
}

/** Reads the code of a contract and of the contracts that it delegates to. Returns `undefined` if there is none. */
export async function readCode(requests: Requests, address: Address): Promise<Code | undefined> {
  const own = await codeAt(requests, address)
  if (own === '0x') return undefined
  const found = [{ address, via: 'the contract itself', code: own }]
  for (let at = 0; at < found.length && found.length < mostParts; at++) {
    const { address: from, code } = found[at] as (typeof found)[number]
    for (const { address: target, via } of await findTargets(requests, from, code)) {
      const next = found.some((one) => one.address === target) ? '0x' : await codeAt(requests, target)
      if (next !== '0x') found.push({ address: target, via, code: next })
    }
  }
  const analyses = found.map(({ code }) => analyse(code))
  return {
    parts: found.map(({ address: at, via, code }) => ({ address: at, via, bytes: code.length / 2 - 1 })),
    functions: unique(
      analyses.flatMap(({ functions }) => functions),
      ({ selector }) => selector,
    ),
    mappings: unique(
      analyses.flatMap(({ mappings }) => mappings),
      ({ slot }) => String(slot),
    ),
    words: new Set(analyses.flatMap(({ words }) => words)),
  }
}

/** Largest number of contracts whose code belongs to one: a diamond has dozens. */
const mostParts = 40
/** Larger code cannot be deployed. A node may return anything. */
const mostBytes = 0x18000

const unique = <item>(items: readonly item[], keyOf: (item: item) => string): item[] =>
  [...new Map(items.toReversed().map((item) => [keyOf(item), item])).values()].toReversed()

async function codeAt({ request }: Requests, address: Address): Promise<Hex> {
  const code = await request({ method: 'eth_getCode', params: [address, 'latest'] })
  return typeof code === 'string' && /^0x([0-9a-f]{2})+$/i.test(code)
    ? (code.toLowerCase().slice(0, 2 + 2 * mostBytes) as Hex)
    : '0x'
}

/** @see https://eips.ethereum.org/EIPS/eip-1967 */
const placeOf = (name: string) => numberToHex(BigInt(keccak256(toHex(name))) - 1n, { size: 32 })
const implementationPlaces = [
  { via: 'EIP-1967', place: placeOf('eip1967.proxy.implementation') },
  { via: 'EIP-1822', place: keccak256(toHex('PROXIABLE')) },
  { via: 'a proxy of OpenZeppelin', place: keccak256(toHex('org.zeppelinos.proxy.implementation')) },
]
const beaconPlace = placeOf('eip1967.proxy.beacon')
const implementationCall = slice(keccak256(toHex('implementation()')), 0, 4)
/** @see https://eips.ethereum.org/EIPS/eip-2535 */
const facetsCall = slice(keccak256(toHex('facetAddresses()')), 0, 4)
/** @see https://eips.ethereum.org/EIPS/eip-1167 */
const minimalProxy =
  /^0x(?:363d3d373d3d3d363d|3d3d3d3d363d3d37363d)73([0-9a-f]{40})|^0x36[0-9a-f]{0,60}73([0-9a-f]{40})[0-9a-f]{0,20}5af4/
const delegates = (code: Hex) => listInstructions(code).some(({ code: one }) => one === 0xf4)

async function findTargets(
  requests: Requests,
  address: Address,
  code: Hex,
): Promise<{ address: Address; via: string }[]> {
  const [, first, second] = minimalProxy.exec(code) ?? []
  const target = first ?? second
  if (target) return [{ address: getAddress(`0x${target}`), via: 'EIP-1167' }]
  if (!delegates(code)) return []
  const found: { address: Address; via: string }[] = []
  for (const { via, place } of implementationPlaces) {
    const at = toAddress(await storageAt(requests, address, place))
    if (at) found.push({ address: at, via })
  }
  const beacon = toAddress(await storageAt(requests, address, beaconPlace))
  const behind = beacon && toAddress(await call(requests, beacon, implementationCall))
  if (behind) found.push({ address: behind, via: 'a beacon of EIP-1967' })
  const named = found.length > 0 ? undefined : toAddress(await call(requests, address, implementationCall))
  if (named) found.push({ address: named, via: 'implementation()' })
  return [...found, ...(await readFacets(requests, address))]
}

async function readFacets(requests: Requests, address: Address): Promise<{ address: Address; via: string }[]> {
  const words = wordsOf(await call(requests, address, facetsCall))
  const count = Number(words[1] ?? 0)
  if (!(count > 0 && count <= mostParts)) return []
  return words.slice(2, 2 + count).flatMap((word) => {
    const at = toAddress(word)
    return at ? [{ address: at, via: 'a diamond of EIP-2535' }] : []
  })
}

const storageAt = ({ request }: Requests, address: Address, place: Hex) =>
  request({ method: 'eth_getStorageAt', params: [address, place, 'latest'] }).catch(() => undefined)

const call = ({ request }: Requests, to: Address, data: Hex) =>
  request({ method: 'eth_call', params: [{ to, data }, 'latest'] }).catch(() => undefined)

/** Splits bytes into words of 32 bytes, at most 64. */
export function wordsOf(data: unknown): Hex[] {
  if (typeof data !== 'string' || !data.startsWith('0x')) return []
  const count = Math.min(Math.floor((data.length - 2) / 64), 64)
  return Array.from({ length: count }, (_, index): Hex => `0x${data.slice(2 + index * 64, 66 + index * 64)}`)
}

/** Returns the address in a word; `undefined` for zero and for other values. */
export function toAddress(word: unknown): Address | undefined {
  if (typeof word !== 'string' || !/^0x0{24}[0-9a-f]{40}$/i.test(word)) return undefined
  const address: Address = `0x${word.slice(26).toLowerCase()}`
  return address === zeroAddress ? undefined : address
}

function analyse(code: Hex): Pick<Code, 'functions' | 'mappings'> & { words: Hex[] } {
  const words = wordsIn(listInstructions(code))
  try {
    const wanted = { selectors: true, arguments: true, stateMutability: true, storage: true }
    const { functions = [], storage = [] } = contractInfo(code, wanted)
    const reached = listReached(
      code,
      functions.map(({ bytecodeOffset }) => bytecodeOffset),
    )
    return {
      functions: functions.map((one, at) => ({ ...toFunction(one), words: reached?.[at] })),
      mappings: storage.flatMap(toMapping),
      words,
    }
  } catch {
    // Code that is not Solidity may be unreadable; its selectors are then found by their form.
    return { functions: [], mappings: [], words }
  }
}

type Analysis = ReturnType<typeof contractInfo>

const toFunction = ({
  selector,
  arguments: inputs = '',
  stateMutability,
}: NonNullable<Analysis['functions']>[number]) => ({
  selector: `0x${selector}` as Hex,
  inputs: inputs === '' ? [] : inputs.split(','),
  kind: stateMutability === 'view' || stateMutability === 'pure' ? ('view' as const) : ('write' as const),
})

function toMapping({ slot, type, reads, writes }: NonNullable<Analysis['storage']>[number]): CodeMapping[] {
  const [, value] = /^mapping\(address => (.+)\)$/.exec(type) ?? []
  const toSelectors = (list: string[]) => list.map((one): Hex => `0x${one}`)
  return value === undefined
    ? []
    : [{ slot: BigInt(`0x${slot}`), value, readers: toSelectors(reads), writers: toSelectors(writes) }]
}

/** An instruction of a code, and the value that it pushes. */
type Instruction = { at: number; code: number; value?: Hex }

function listInstructions(code: Hex): Instruction[] {
  const found: Instruction[] = []
  for (let at = 2; at < code.length; at += 2) {
    const one = Number.parseInt(code.slice(at, at + 2), 16)
    const pushed = one >= 0x60 && one <= 0x7f ? one - 0x5f : 0
    const value: Hex = `0x${code.slice(at + 2, at + 2 + pushed * 2)}`
    found.push({ at: at / 2 - 1, code: one, ...(pushed > 0 && { value }) })
    at += pushed * 2
  }
  return found
}

/** Returns the words of 32 bytes that are pushed, topics of events among them. */
const wordsIn = (instructions: readonly Instruction[]): Hex[] =>
  instructions.flatMap(({ value }) => (value?.length === 66 ? [value] : []))

type Block = { id: number; start: number; end: number; type: string; data: Jumps }
type Jumps = { to?: number | Dynamic[]; true_to?: number | Dynamic[]; false_to?: number }
/** A jump to a place on the stack, possible after these blocks. */
type Dynamic = { path: number[]; to?: number }

/**
 * Returns the words of 32 bytes that each function may push, by the place where it begins: the topics of the events that it
 * may emit are among them. Returns `undefined` for code that cannot be followed.
 */
function listReached(code: Hex, starts: readonly number[]): ReadonlySet<Hex>[] | undefined {
  try {
    const graph = contractInfo(code, { controlFlowGraph: true }).controlFlowGraph
    const blocks = new Map(
      (graph?.blocks ?? []).map((one) => Object.fromEntries(one) as Block).map((one) => [one.id, one]),
    )
    const instructions = listInstructions(code)
    return starts.map((start) => {
      const reached = [...reach(blocks, start)].flatMap((id) => blocks.get(id) ?? [])
      const isReached = ({ at }: Instruction) => reached.some(({ start: from, end }) => at >= from && at <= end)
      return new Set(wordsIn(instructions.filter(({ value }) => value?.length === 66).filter(isReached)))
    })
  } catch {
    return undefined
  }
}

/** Returns the blocks that can be reached from a block. A function that returns goes back to those that it came from. */
function reach(blocks: ReadonlyMap<number, Block>, start: number): Set<number> {
  const seen = new Set([start])
  for (let size = 0; size < seen.size; ) {
    size = seen.size
    for (const id of seen)
      for (const target of targets(blocks.get(id)?.data, seen)) if (target !== undefined) seen.add(target)
  }
  return seen
}

const targets = (jumps: Jumps | undefined, seen: ReadonlySet<number>): (number | undefined)[] =>
  [jumps?.to, jumps?.true_to, jumps?.false_to].flatMap((target) =>
    Array.isArray(target)
      ? target.filter(({ path }) => path.every((id) => seen.has(id))).map(({ to }) => to)
      : [target],
  )
