import { createKeccak } from 'hash-wasm'
import type { Hex } from 'viem'
import { numberToHex, size, toRlp } from 'viem/utils'
import type { HistoryLog } from '../history/HistorySource.ts'
import { findFault } from './findFault.ts'
import type { Header } from './rpc.ts'

const hasher = await createKeccak(256)

/** Hashes bytes in a tenth of the time of viem's function: a back-fill hashes each header. */
const keccak256 = (bytes: Hex): Hex =>
  `0x${hasher
    .init()
    .update(Buffer.from(bytes.slice(2), 'hex'))
    .digest()}`

/** Fields of each header, in the order in which they are hashed. */
const fields = [
  ...['parentHash', 'sha3Uncles', 'miner', 'stateRoot', 'transactionsRoot', 'receiptsRoot', 'logsBloom', 'difficulty'],
  ...['number', 'gasLimit', 'gasUsed', 'timestamp', 'extraData', 'mixHash', 'nonce'],
]
/** Fields that upgrades of the chain have added, in their order. */
const laterFields = [
  ...['baseFeePerGas', 'withdrawalsRoot', 'blobGasUsed', 'excessBlobGas', 'parentBeaconBlockRoot', 'requestsHash'],
]
const quantities = [
  ...['difficulty', 'number', 'gasLimit', 'gasUsed', 'timestamp', 'baseFeePerGas', 'blobGasUsed', 'excessBlobGas'],
]
const isQuantity = [...fields, ...laterFields].map((name) => quantities.includes(name))
/** Fields of a block that are not hashed. */
const otherFields = ['hash', 'size', 'totalDifficulty', 'transactions', 'uncles', 'withdrawals', 'milliTimestamp']
const named = new Set([...fields, ...laterFields, ...otherFields])

type Fields = Record<string, unknown>

const isPresent = (value: unknown) => value !== undefined && value !== null
const isHex = (value: unknown): value is Hex => typeof value === 'string' && /^0x[0-9a-f]*$/i.test(value)

/** Returns a quantity as its shortest bytes. One without digits is zero. */
function toBytes(quantity: Hex): Hex {
  const number = quantity === '0x' ? 0n : BigInt(quantity)
  return number === 0n ? '0x' : (numberToHex(number).replace(/^0x(.(..)*)$/, '0x0$1') as Hex)
}

/**
 * Returns the hash of a header. Returns `undefined` if it lacks a field.
 *
 * @see https://github.com/bnb-chain/bsc/blob/master/core/types/block.go
 */
export function hashHeader(header: object): Hex | undefined {
  const values = header as Fields
  const last = laterFields.findLastIndex((name) => isPresent(values[name]))
  const hashed = [
    ...fields.map((name) => values[name]),
    ...laterFields.slice(0, last + 1).map((name) => values[name] ?? '0x'),
  ]
  if (!hashed.every(isHex)) return undefined
  return keccak256(toRlp(hashed.map((value, at) => (isQuantity[at] ? toBytes(value) : value))))
}

/** `unknown`: no header with the same fields had the right hash, so perhaps this version does not know how it is hashed. */
export type HashCheck = 'right' | 'false' | 'unknown'
export type HashChecks = ReturnType<typeof createHashChecks>

/** Creates the checks of headers against their hashes. */
export function createHashChecks() {
  const known = new Set<string>()
  return {
    check(header: object): HashCheck {
      const names = Object.keys(header).filter((name) => isPresent((header as Fields)[name]))
      const form = names
        .filter((name) => laterFields.includes(name) || !named.has(name))
        .toSorted()
        .join()
      const hash = hashHeader(header)
      if (hash !== undefined && hash === (header as Fields).hash) {
        known.add(form)
        return 'right'
      }
      return hash !== undefined && known.has(form) ? 'false' : 'unknown'
    },
    /** Returns whether a header had the right hash. */
    get areKnown() {
      return known.size > 0
    },
  }
}

type Receipt = { type?: Hex; status: Hex; cumulativeGasUsed: Hex; logsBloom: Hex; logs: HistoryLog[] }

/**
 * Returns all logs of a block from its receipts. Returns `undefined` if the receipts do not lead to the root in the
 * header: only the hashes of the transactions are not proven by it.
 */
export function proveLogs({ number, hash, receiptsRoot }: Header, receipts: unknown): HistoryLog[] | undefined {
  try {
    const all = receipts as readonly Receipt[]
    if (rootOf(all.map(encodeReceipt)) !== receiptsRoot) return undefined
    const logs = all.flatMap((receipt, at) =>
      receipt.logs.map((log) => ({ ...log, transactionIndex: numberToHex(at) })),
    )
    const proven = logs.map((log, at) => ({
      ...{ ...log, address: log.address.toLowerCase() as Hex, logIndex: numberToHex(at) },
      ...{ blockNumber: numberToHex(number), blockHash: hash },
    }))
    // The root does not tell how bytes are written, nor the hashes of transactions.
    return findFault({ method: 'eth_getLogs', params: [{}] }, proven) === undefined ? proven : undefined
  } catch {
    return undefined
  }
}

/** @see https://eips.ethereum.org/EIPS/eip-2718 */
function encodeReceipt({ type = '0x0', status, cumulativeGasUsed, logsBloom, logs }: Receipt): Hex {
  const encoded = toRlp([
    ...[toBytes(status), toBytes(cumulativeGasUsed), logsBloom],
    logs.map(({ address, topics, data }) => [address, [...topics], data]),
  ])
  return Number(type) === 0 ? encoded : `0x${numberToHex(Number(type), { size: 1 }).slice(2)}${encoded.slice(2)}`
}

type Item = { path: string; value: Hex }
type Branch = Hex | readonly Branch[]

/**
 * Returns the root of the tree of a list: the values by their encoded positions.
 *
 * @see https://ethereum.github.io/yellowpaper/paper.pdf, appendix D
 */
function rootOf(values: readonly Hex[]): Hex {
  const items = values.map((value, at) => ({ path: toRlp(toBytes(numberToHex(at))).slice(2), value }))
  return keccak256(toRlp(items.length === 0 ? '0x' : (toNode(items, 0) as never)))
}

/** Returns the node below the first digits of paths. */
function toNode(items: readonly Item[], from: number): readonly Branch[] {
  const [{ path, value }] = items as [Item]
  if (items.length === 1) return [toPath(path.slice(from), '2'), value]
  let to = from
  while (items.every((item) => item.path[to] === path[to])) to++
  if (to > from) return [toPath(path.slice(from, to), '0'), refer(toNode(items, to))]
  const children = Array.from({ length: 16 }, (_, digit): Branch => {
    const below = items.filter((item) => item.path[to] === digit.toString(16))
    return below.length === 0 ? '0x' : refer(toNode(below, to + 1))
  })
  return [...children, '0x']
}

/** Returns digits as whole bytes after a flag, which says whether their number is odd. */
const toPath = (digits: string, flag: '0' | '2'): Hex =>
  digits.length % 2 === 0 ? `0x${flag}0${digits}` : `0x${Number(flag) + 1}${digits}`

/** Returns the hash of a node, or the node itself if it is shorter than a hash (32 bytes). */
function refer(node: readonly Branch[]): Branch {
  const encoded = toRlp(node as never)
  return size(encoded) < 32 ? node : keccak256(encoded)
}
