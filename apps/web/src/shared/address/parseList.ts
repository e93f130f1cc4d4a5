import type { Address } from '@lineage/referral-api'
import { hidePhrases, type ParsedAddress, parseAddress } from './parseAddress.ts'

/** Largest number of addresses of a list that are looked up. */
export const listLimit = 500
/** Largest number of characters of a list that are read: about 500 wide rows of a spreadsheet. */
export const textLimit = 200_000

/** Reason why part of a list is not an address. */
type Unread = Exclude<ParsedAddress, { kind: 'empty' | 'valid' }>

export type AddressList = {
  /** Each address once, with the line where it first appears (1-based). */
  entries: { address: Address; line: number }[]
  repeated: number
  /** Number of addresses beyond the limit. */
  beyond: number
  /** Text meant as an address that is not one, and lines without an address. */
  unread: { line: number; text: string; why: Unread }[]
}

const lines = /\r\n|[\n\r\v\f\u0085\u2028\u2029]/
const cells = /[\s,;|"'`<>()[\]{}，；、｜“”‘’（）【】「」]+/u
/** Two addresses without a separator. */
const joined = /(0x[0-9a-f]{40})(?=0x)/gi
/** An address in groups of four, as our dialogs show it. */
const grouped = /^\s*0x(\s?[0-9a-f]{4}){10}\s*$/i
/** Text that was meant as an address or a name. */
const meant = /^[0o]x|^[0-9a-f]{30,64}$|^[^\s./:@?#&=]+\.(bnb|eth)$/i
const isHash = (text: string) => /^(0x)?[0-9a-f]{64}$/i.test(text)
/** Returns why a line without an address has none: of some texts it is known what they are. */
function whyOf(line: string): Unread {
  const read = parseAddress(line)
  const isKnown = read.kind === 'secret' || read.kind === 'pairing' || read.kind === 'otherChain'
  return isKnown ? read : { kind: 'notAddress' }
}
/** Matches the header row of a spreadsheet. */
const head = /address|account|wallet|member|地址|钱包|錢包|账户|帳戶|会员|會員/i

/**
 * Parses a list of addresses separated by lines, commas, spaces or spreadsheet cells. Each text meant as an address is
 * counted: as an entry, repeated, beyond the limit, or unread.
 *
 * @example
 * parseList('address,name\n0x…,Wang\n0x12,Li').unread // [{ line: 3, text: '0x12', why: { kind: 'prefix', … } }]
 */
export function parseList(text: string): AddressList {
  const list: AddressList = { entries: [], repeated: 0, beyond: 0, unread: [] }
  const seen = new Set<Address>()
  const add = (address: Address, line: number) => {
    if (seen.has(address)) list.repeated++
    else if (list.entries.length < listLimit) list.entries.push({ address, line })
    else list.beyond++
    seen.add(address)
  }

  let isFirst = true
  for (const [index, raw] of hidePhrases(text).normalize('NFKC').split(lines).entries()) {
    const line = index + 1
    const found = grouped.test(raw) ? [raw] : raw.replace(joined, '$1 ').split(cells)
    const parsed = found.map((cell) => ({ cell, read: parseAddress(cell) }))
    const addresses = parsed.flatMap(({ read }) => (read.kind === 'valid' ? [read.address] : []))
    for (const address of addresses) add(address, line)
    // A hash in the same line as an address is a transaction's.
    const wrong = parsed.flatMap(({ cell, read: why }) =>
      why.kind !== 'valid' && why.kind !== 'empty' && meant.test(cell) && !(addresses.length > 0 && isHash(cell))
        ? [{ line, text: cell, why }]
        : [],
    )
    list.unread.push(...wrong)
    const rest = raw.replace(/^\uFEFF/, '').trim()
    const isBare = addresses.length === 0 && wrong.length === 0 && /[\p{L}\p{N}█]/u.test(rest)
    if (isBare && !(isFirst && head.test(rest))) list.unread.push({ line, text: rest, why: whyOf(rest) })
    if (rest !== '') isFirst = false
  }
  return list
}
