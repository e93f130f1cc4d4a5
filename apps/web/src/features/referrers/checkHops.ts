import type { Address, Community } from '@lineage/referral-api'
import { addressPattern } from '@lineage/referral-api/address'
import { serviceRoutes, splitRoute } from '@lineage/referral-api/routes'
import { type Abi, type AbiParameter, type Client, isAddressEqual, parseAbi, zeroAddress } from 'viem'
import { multicall } from 'viem/actions'
import type { Hop, Link, ReadLinks } from './query.ts'

type Node = {
  client: Client
  /** The call that returns a member's referrer. */
  parent: NonNullable<Community['parent']>
}

/** Calldata size of a hundred calls with one address, which nodes accept in one request. */
const batchSize = 36 * 100

// Shared objects: an upline may have a hundred thousand hops.
const agrees: Hop = { kind: 'agrees' }
const unreadable: Hop = { kind: 'unreadable' }

/** Reads each member's referrer from the contract by multicall. Never rejects: failed reads are `unreadable`. */
export async function readParents({
  client,
  parent,
  links,
}: Node & { links: readonly Link[] }): Promise<[Address, Hop][]> {
  const call = toCall(parent)
  const answers = call
    ? await multicall(client, {
        contracts: links.map(({ address }) => ({
          ...call.contract,
          address: parent.contract,
          args: parent.args.map((value) => value ?? address),
        })),
        batchSize,
      }).catch(() => [])
    : []
  return links.map(({ address, referrer }, at) => {
    const answer = toAddress(call?.toOutputs(answers[at]?.result), parent.output)
    if (answer === undefined) return [address, unreadable]
    if (isAddressEqual(answer, referrer)) return [address, agrees]
    return [address, { kind: 'differs', referrer: isAddressEqual(answer, zeroAddress) ? null : answer }]
  })
}

/** Parts of viem's transports: `fallback` reports which one answered, `http` has its URL. */
type Transport = {
  url?: string
  onResponse?: (
    listener: (answer: { status: 'success' | 'error'; transport: { value?: { url?: string } } }) => void,
  ) => void
}

/** Tracks whether public nodes answer, or this site's server (`/v1/rpc`). */
export function watchNodes(client: Client, own: string): () => 'nodes' | 'server' {
  const transport = client.transport as Transport
  let answeredBy: 'nodes' | 'server' = transport.url === own ? 'server' : 'nodes'
  transport.onResponse?.(({ status, transport: { value } }) => {
    if (status === 'success' && value?.url === own) answeredBy = 'server'
  })
  return () => answeredBy
}

function toCall({ view }: NonNullable<Community['parent']>) {
  try {
    const abi = parseAbi([view] as readonly string[]) as Abi
    const item = abi.find((entry) => entry.type === 'function')
    // Without names, a tuple is decoded to a list.
    const outputs = item?.outputs.map(withoutName) ?? []
    const toOutputs = (result: unknown) => (outputs.length === 1 ? [result] : result)
    return item && { contract: { abi: [{ ...item, outputs }], functionName: item.name }, toOutputs }
  } catch {
    return undefined
  }
}

function withoutName(parameter: AbiParameter): AbiParameter {
  const { type } = parameter
  return 'components' in parameter ? { type, components: parameter.components.map(withoutName) } : { type }
}

/** Returns the address at a place in the outputs. */
function toAddress(outputs: unknown, path: readonly number[]): Address | undefined {
  const value = path.reduce((part, index) => (part as readonly unknown[] | undefined)?.[index], outputs)
  return typeof value === 'string' && addressPattern.test(value) ? (value as Address) : undefined
}

export type Progress = {
  /** Number of checked hops. */
  checked: number
  hops: Map<Address, Hop>
  /** Rows that differ. */
  differs: number[]
  unreadable: number[]
  /** `server`: this site's `/v1/rpc` answered instead of public nodes. */
  answeredBy: 'nodes' | 'server'
  /** Depth at which a stopped check resumes. */
  next?: string | undefined
}

type Parameters = Node & {
  readLinks: ReadLinks
  /** Progress to start from; updated in place. */
  progress: Progress
  onProgress: () => void
  signal: AbortSignal
}

/** Number of unreadable rows in one request after which the check stops. */
const silence = 50

/**
 * Compares each hop of a line with the contract, while the next rows load from the index. Resolves with `silent` when
 * the contract or the nodes stop answering.
 *
 * @throws {ReferralApiError} when the index fails; `progress` keeps the steps that were checked
 */
export async function checkHops(parameters: Parameters): Promise<'done' | 'silent'> {
  const { client, parent, readLinks, progress, onProgress, signal } = parameters
  const answeredBy = watchNodes(
    client,
    new URL(`/v1${splitRoute(serviceRoutes.rpc).path}`, window.location.origin).href,
  )
  let coming = readLinks(progress.next, signal)
  for (;;) {
    const { links, next } = await coming
    if (next !== undefined) {
      coming = readLinks(next, signal)
      // A failure is thrown when the rows are awaited.
      coming.catch(() => undefined)
    }
    const hops = await readParents({ client, parent, links })
    signal.throwIfAborted()
    for (const [at, [address, hop]] of hops.entries()) {
      progress.hops.set(address, hop)
      if (hop.kind !== 'agrees') progress[hop.kind].push(links[at]?.row ?? 0)
    }
    progress.checked += links.length
    progress.next = next
    progress.answeredBy = answeredBy()
    onProgress()
    if (next === undefined) return 'done'
    if (links.length >= silence && hops.every(([, { kind }]) => kind === 'unreadable')) return 'silent'
  }
}
