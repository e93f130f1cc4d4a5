import type { Address } from '@lineage/referral-api'
import { type ParsedAddress, parseAddress } from './parseAddress.ts'

/** So many addresses of a list are looked up. */
export const listLimit = 500
/** So much of a text is read, in characters: 500 wide rows of a spreadsheet. */
export const textLimit = 200_000

/** Why a piece of a list is no address. */
type Unread = Exclude<ParsedAddress, { kind: 'empty' | 'valid' }>

export type AddressList = {
  /** Each address once, where it stood first; lines count from 1. */
  entries: { address: Address; line: number }[]
  /** How often an address stood there again. */
  repeated: number
  /** How many addresses are beyond the limit. */
  beyond: number
  /** What was meant as an address and is none, and lines without any. */
  unread: { line: number; text: string; why: Unread }[]
}

const lines = /\r\n|[\n\r\v\f\u0085\u2028\u2029]/
const cells = /[\s,;|"'`<>()[\]{}，；、｜“”‘’（）【】「」]+/u
/** Two that stand against each other. */
const joined = /(0x[0-9a-f]{40})(?=0x)/gi
/** Four by four, as dialogs write an address. */
const grouped = /^\s*0x(\s?[0-9a-f]{4}){10}\s*$/i
/** What only an address begins with, or a good part of one. */
const meant = /^[0o]x|^[0-9a-f]{30,64}$|^[^\s./:@?#&=]+\.(bnb|eth)$/i
const isHash = (text: string) => /^(0x)?[0-9a-f]{64}$/i.test(text)
/** The first line of a spreadsheet. */
const head = /address|account|wallet|member|地址|钱包|錢包|账户|帳戶|会员|會員/i

/**
 * Reads the addresses of a list, whatever stands between them and beside them: lines, commas, the cells of a spreadsheet.
 * Nothing that was meant as an address is lost: it is an entry, a repetition, beyond the limit, or unread.
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
  for (const [index, raw] of text.normalize('NFKC').split(lines).entries()) {
    const line = index + 1
    const found = grouped.test(raw) ? [raw] : raw.replace(joined, '$1 ').split(cells)
    const parsed = found.map((cell) => ({ cell, read: parseAddress(cell) }))
    const addresses = parsed.flatMap(({ read }) => (read.kind === 'valid' ? [read.address] : []))
    for (const address of addresses) add(address, line)
    // A hash beside an address is the transaction's.
    const wrong = parsed.flatMap(({ cell, read: why }) =>
      why.kind !== 'valid' && why.kind !== 'empty' && meant.test(cell) && !(addresses.length > 0 && isHash(cell))
        ? [{ line, text: cell, why }]
        : [],
    )
    list.unread.push(...wrong)
    const rest = raw.replace(/^\uFEFF/, '').trim()
    const isBare = addresses.length === 0 && wrong.length === 0 && /[\p{L}\p{N}]/u.test(rest)
    if (isBare && !(isFirst && head.test(rest))) list.unread.push({ line, text: rest, why: { kind: 'notAddress' } })
    if (rest !== '') isFirst = false
  }
  return list
}
