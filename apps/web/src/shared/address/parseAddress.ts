import type { Address } from '@lineage/referral-api'
import { getAddress, isAddress } from 'viem/utils'

/** The kind of text in the address field. A `prefix` may still become an address. */
export type ParsedAddress =
  | { kind: 'empty' }
  | { kind: 'valid'; address: Address }
  | { kind: 'prefix'; text: string; missing: number }
  /** A name as typed; not yet resolved. */
  | { kind: 'name'; name: string }
  /** As pages show it: `0xf39F…2266`. */
  | { kind: 'shortened' }
  | { kind: 'characters'; found: string }
  /** The hash of a transaction, or a link to one. */
  | { kind: 'transaction' }
  /** The code with which a wallet connects, as in `wc:…@2?…`. */
  | { kind: 'pairing' }
  | { kind: 'otherChain' }
  /** A recovery phrase of a wallet. */
  | { kind: 'secret' }
  | { kind: 'tooLong'; extra: number }
  | { kind: 'checksum' }
  | { kind: 'notAddress' }

const transaction = /(?:^|0x)[0-9a-f]{64}(?![0-9a-f])/i

/** An address of Bitcoin, Tron, Solana or others, or a URI with one; not part of one of this chain without its 0x. */
const otherChain =
  /^(bitcoin|bitcoincash|litecoin|dogecoin|tron|solana|ton|ripple|xrp|cardano|cosmos):|^T[1-9A-HJ-NP-Za-km-z]{33}$|^bc1[02-9ac-hj-np-z]{8,87}$|^(?![0-9a-f]+$)([13][1-9A-HJ-NP-Za-km-z]{25,33}|[1-9A-HJ-NP-Za-km-z]{43,44})$/

const invisible = /[\s\u200B-\u200F\u202A-\u202E\u2060-\u2069\uFEFF]+/gu

/** Words with dots between them, as in `alice.bnb`, but not a URL. */
const name = /^[^\s./:@?#&=]+(\.[^\s./:@?#&=]+)*\.\p{L}{2,}$/u

/** The subject of a link that contains several addresses, as in `…/token/0x…?a=0x…`. */
const subject = /[?&](?:address|a)=(0x[0-9a-f]{40})(?![0-9a-f])/i

/** Frequent words of sentences and of the heads of tables, which no recovery phrase contains. */
const plainWord =
  '(?:the|and|for|with|from|are|was|were|has|had|not|but|his|her|your|our|their|been|who|which|these|would|please|wallet|joined|referrer|directs|rewards|status|date|value)'
const phraseWord = String.raw`(?:\d{1,2}[.):\s]\s*)?(?:(?!${plainWord}(?![a-z]))[a-z]{3,8}|\p{sc=Han})`

/** Twelve to 24 words, also with numbers before them, or as many Chinese characters apart. @see https://bips.dev/39 */
const phrase = new RegExp(
  String.raw`(?<![\p{L}\p{N}])(?:${phraseWord}[\s,，、]+){11,23}${phraseWord}(?![\p{L}\p{N}])`,
  'giu',
)

/** Stands in a text for a recovery phrase. */
const hiddenPhrase = '█████'

/**
 * Replaces recovery phrases of wallets, so that they are neither shown nor stored.
 *
 * @example hidePhrases('legal winner thank … yellow, 0xab12…') // '█████, 0xab12…'
 */
export const hidePhrases = (text: string): string => text.replace(phrase, hiddenPhrase)

/**
 * Parses an address as people paste it: in any case, with spaces, inside an explorer link or a payment URI. Recognizes
 * names as well.
 *
 * @see https://eips.ethereum.org/EIPS/eip-681
 *
 * @example
 * parseAddress(' 0XAB12… ') // { kind: 'prefix', text: '0xab12', … }
 */
export function parseAddress(input: string): ParsedAddress {
  let text = hidePhrases(input).normalize('NFKC').replace(invisible, '')
  if (text === '') return { kind: 'empty' }
  if (text.includes(hiddenPhrase)) return { kind: 'secret' }
  if (/^wc:/i.test(text)) return { kind: 'pairing' }

  // A longer text with exactly one address, such as a link or `ethereum:0x…@56`.
  const isOnly = text.match(/0x/gi)?.length === 1
  text = (isOnly ? /0x[0-9a-f]{40}(?![0-9a-f])/i.exec(text)?.[0] : subject.exec(text)?.[1]) ?? text
  // Chinese keyboards type `。` for a dot.
  if (name.test(text.replaceAll('。', '.'))) return { kind: 'name', name: text.replaceAll('。', '.') }

  if (transaction.test(text)) return { kind: 'transaction' }
  if (/^0x/i.test(text)) text = `0x${text.slice(2)}`
  else if (/^[0-9a-f]{40}$/i.test(text)) text = `0x${text}`
  else if (/^ox/i.test(text)) return { kind: 'characters', found: text.slice(0, 1) }
  else if (text === '0') return { kind: 'prefix', text, missing: 41 }
  else return { kind: otherChain.test(text) ? 'otherChain' : 'notAddress' }

  const digits = text.slice(2)
  if (/^[0-9a-f]*(\.{2,}|\*{2,})[0-9a-f]*$/i.test(digits)) return { kind: 'shortened' }
  const foreign = digits.match(/[^0-9a-f]/iu)
  if (foreign) return { kind: 'characters', found: foreign[0] }
  if (digits.length > 40) return { kind: 'tooLong', extra: digits.length - 40 }
  if (digits.length < 40) return { kind: 'prefix', text, missing: 40 - digits.length }

  const oneCase = digits === digits.toLowerCase() || digits === digits.toUpperCase()
  if (oneCase) return { kind: 'valid', address: getAddress(`0x${digits.toLowerCase()}`) }
  return isAddress(text) ? { kind: 'valid', address: text } : { kind: 'checksum' }
}

/** Shortens an address to its first and last four characters. */
export const shorten = (address: string): string =>
  address.length < 8 ? address : `${address.slice(0, 4)}…${address.slice(-4)}`

/** Formats an address in groups of four, so that two can be compared by eye. */
export const formatInGroups = (address: string): string => `0x ${address.slice(2).match(/.{4}/g)?.join(' ')}`

/** Returns whether contracts use an address for "no referrer". */
export const isSentinel = (address: string): boolean => /^0x(0{40}|0{36}dead)$/i.test(address)

/** Returns whether a text has several addresses. */
export const isAddressList = (text: string): boolean =>
  (text.match(/0x\s?[0-9a-f]{4}|(?<![0-9a-fx])[0-9a-f]{40}(?![0-9a-f])/gi)?.length ?? 0) > 1 &&
  parseAddress(text).kind !== 'valid'
