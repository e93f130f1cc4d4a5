/**
 * Shortens an address to its first and last four characters, without changing their case. Show the whole address
 * before anything is sent to it: look-alikes share both ends.
 *
 * @param address - An address, or any text.
 * @example
 * formatAddress('0xDE7F309DE0F69C49E7C065BB4AE6DFFE0F5E32F4') // '0xDE…32F4'
 */
export function formatAddress(address: string): string {
  return address.length < 8 ? address : `${address.slice(0, 4)}…${address.slice(-4)}`
}

/**
 * Shortens a name: cuts the part before its last dot at 24 characters. A last part of more than 24 characters is cut
 * as well.
 *
 * @param name - A name, such as `alice.bnb`.
 * @example
 * formatName('reallylongensnameheretotestlongnames.eth') // 'reallylongensnameheretot...'
 */
export function formatName(name: string): string {
  const dot = name.lastIndexOf('.')
  // Splits by code points, so that no emoji is cut in half.
  const ending = dot === -1 ? [] : [...name.slice(dot)]
  const label = [...(ending.length === 0 || ending.length > 25 ? name : name.slice(0, dot))]
  return label.length > 24 ? `${label.slice(0, 24).join('')}...` : name
}

/**
 * Formats a balance in few characters: cut, never rounded up, without floats. Returns an empty text while `value` is
 * `undefined`.
 *
 * @param parameters - The `value` in the smallest unit, its `decimals`, and the `locale` of the separators.
 * @example
 * formatBalance({ value: 1_234_220_000_000_000_000_000n, decimals: 18 }) // '1,234.2'
 * formatBalance({ value: 1n, decimals: 18 }) // '<0.001'
 */
export function formatBalance({ value, decimals, locale = 'en' }: FormatBalanceParameters): string {
  if (typeof value !== 'bigint' || value < 0n || !Number.isInteger(decimals) || decimals < 0) return ''
  const [whole, fraction] = splitUnits(value, decimals)
  if (whole === '0') {
    const tooSmall = value > 0n && fraction.startsWith('000')
    return tooSmall ? `<${decimal('0', '001', locale)}` : decimal('0', fraction.slice(0, 3), locale)
  }
  if (whole.length <= 2) return decimal(whole, fraction.slice(0, 2), locale)
  if (whole.length <= 4) return decimal(whole, fraction.slice(0, 1), locale)
  const thousands = Math.min(4, Math.floor((whole.length - 1) / 3))
  const cut = whole.length - 3 * thousands
  return decimal(whole.slice(0, cut), whole.slice(cut, cut + 1), locale) + 'kmbt'[thousands - 1]
}

export type FormatBalanceParameters = {
  /** Amount in the smallest unit. */
  value: bigint | undefined
  decimals: number
  /** BCP 47 tag, for the separators. Default: `en`. */
  locale?: string | undefined
}

/** A balance with its unit. */
export type Balance = {
  /** Amount in the smallest unit. */
  value: bigint
  decimals: number
  /** Symbol of the chain's currency, or the one that a token reports, at most 20 characters, which proves nothing. */
  symbol: string
  /** Exact decimal number, as `formatUnits` of viem writes it: `1234.56789`. */
  formatted: string
  /** Shortened for display, with the symbol: `1,234.5 USDT`. */
  displayBalance: string
}

/** Returns a balance with its texts. They are made here and not by viem, which the start of a page does not contain. */
export function toBalance(amount: Pick<Balance, 'value' | 'decimals' | 'symbol'>, locale?: string): Balance {
  const { value, decimals, symbol } = amount
  const [whole, fraction] = splitUnits(value, decimals)
  const rest = fraction.replace(/0+$/, '')
  return {
    ...amount,
    formatted: rest ? `${whole}.${rest}` : whole,
    displayBalance: `${formatBalance({ value, decimals, locale })} ${symbol}`.trim(),
  }
}

/** Splits an amount into the digits before and after its decimal point. */
function splitUnits(value: bigint, decimals: number): [whole: string, fraction: string] {
  const text = value.toString().padStart(decimals + 1, '0')
  const point = text.length - decimals
  return [text.slice(0, point), text.slice(point)]
}

function decimal(whole: string, fraction: string, locale: string): string {
  const digits = fraction.replace(/0+$/, '')
  const format = new Intl.NumberFormat(locale, { minimumFractionDigits: digits.length, maximumFractionDigits: 20 })
  // A string keeps every digit; TypeScript accepts it only as a template literal.
  return format.format(`${whole}.${digits || '0'}` as `${number}`)
}
