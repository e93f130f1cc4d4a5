import type { Address } from 'viem'
import type { Community } from '../../../config/index.ts'
import type { IndexReader } from '../reader/createIndexReader.ts'
import type { Comparison } from './spotCheckFinding.ts'

/** Reads a member's referrer at a block from the contract's own view. */
export type ReadReferrer = (community: Community, member: Address, block: number) => Promise<Address>

type Parameters = { index: Pick<IndexReader, 'view'>; readReferrer: ReadReferrer }

/** Compares a member's referrer in the index with the one in the contract. */
export async function compareReferrer(
  community: Community,
  member: Address,
  { index, readReferrer }: Parameters,
): Promise<Comparison> {
  const view = index.view()
  const forest = view?.forests.get(community.id)
  const id = forest?.find(member)
  const known = id === undefined ? undefined : forest?.summary(id)
  if (!view || known?.status !== 'member') return { outcome: 'gone' }
  const onChain = await readReferrer(community, member, view.asOf.block).catch(() => undefined)
  if (!onChain) return { outcome: 'unreadable' }
  const agrees = toReferrer(community, onChain) === (known.referrer?.toLowerCase() ?? null)
  return agrees
    ? { outcome: 'agrees', referrer: known.referrer }
    : { outcome: 'differs', referrer: known.referrer, onChain }
}

/** Checks whether the contract returns the member as the referrer's referrer, which suggests swapped arguments. */
export async function isOpposite(
  community: Community,
  { member, referrer }: { member: Address; referrer: Address | null },
  { index, readReferrer }: Parameters,
): Promise<boolean> {
  const block = index.view()?.asOf.block
  if (!referrer || block === undefined) return false
  const above = await readReferrer(community, referrer, block).catch(() => undefined)
  return above?.toLowerCase() === member.toLowerCase()
}

const sentinels = ['0x0000000000000000000000000000000000000000', '0x000000000000000000000000000000000000dead']

function toReferrer({ roots }: Community, address: Address): string | null {
  const lower = address.toLowerCase()
  return sentinels.includes(lower) || roots.some((root) => root.toLowerCase() === lower) ? null : lower
}
