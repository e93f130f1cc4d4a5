import { toDecimal } from '@lineage/referral-api'
import { toCsv } from '@lineage/referral-api/csv'
import type { AddressList } from '../../shared/address/parseList.ts'
import { bnb } from './query.ts'
import type { ListRow } from './useAddressList.ts'

const columns = [
  'line',
  'address',
  'community',
  'kind',
  'bnb',
  'name',
  'label',
  'referrer',
  'root',
  'depth',
  'joined_at',
  'grade',
  'directs',
  'team',
  'problem',
] as const
type Row = Partial<Record<(typeof columns)[number], string | number | null>>

/** Name and label of an address. */
export type Beside = { name: string | undefined; label: string | undefined }

/** Returns the results of a list as CSV, followed by the unread texts. */
export function toListCsv(
  rows: readonly ListRow[],
  unread: AddressList['unread'],
  beside: (address: ListRow['address']) => Beside,
): string {
  const all = [...rows.map((row) => ({ ...toRow(row), ...beside(row.address) })), ...unread.map(toUnread)]
  return toCsv([columns, ...all.map((row: Row) => columns.map((column) => String(row[column] ?? '')))])
}

function toRow({ line, address, card, chain }: ListRow): Row {
  const known = typeof card === 'object' ? card : undefined
  return {
    line,
    address,
    community: known?.status ?? (card === 'stranger' ? 'none' : null),
    ...(known && {
      referrer: known.referrer,
      root: known.root,
      depth: known.depth,
      joined_at: known.joinedAt === null ? null : new Date(known.joinedAt * 1_000).toISOString(),
      grade: known.grade,
      directs: known.directs,
      team: known.team,
    }),
    ...(typeof chain === 'object' && { kind: chain.kind, bnb: toDecimal(String(chain.balance), bnb.decimals) }),
    problem: [card === 'failed' && 'community not answered', chain === 'failed' && 'chain not read']
      .filter(Boolean)
      .join(', '),
  }
}

const toUnread = ({ line, text, why }: AddressList['unread'][number]): Row => ({
  line,
  address: text,
  problem: `no address: ${problems[why.kind]}`,
})

const problems: Record<AddressList['unread'][number]['why']['kind'], string> = {
  prefix: 'too short',
  characters: 'other characters than 0-9 and a-f',
  shortened: 'shortened',
  transaction: 'a transaction',
  pairing: 'a WalletConnect code',
  otherChain: 'an address of another chain',
  secret: 'a recovery phrase',
  tooLong: 'too long',
  checksum: 'wrong checksum',
  notAddress: 'none in this line',
  name: 'a name',
}
