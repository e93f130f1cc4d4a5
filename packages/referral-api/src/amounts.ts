type Token = { symbol: string; decimals: number }

/** Kinds of events that state an amount of a member. The tables store their positions: a new one is the last. */
export const amountKinds = ['reward', 'volume'] as const
export type AmountKind = (typeof amountKinds)[number]

/** Returns an object with a value for each kind of amount. */
export const byAmountKind = <value>(of: (kind: AmountKind) => value) =>
  Object.fromEntries(amountKinds.map((kind) => [kind, of(kind)])) as Record<AmountKind, value>

/**
 * Formats an amount of the smallest unit exactly, with its token.
 *
 * @example formatAmount('1234500000', { symbol: 'USDT', decimals: 6 }) // '1234.5 USDT'
 */
export const formatAmount = (amount: string, { decimals, symbol }: Token): string =>
  `${toDecimal(amount, decimals)} ${symbol}`

/**
 * Converts an amount of the smallest unit to an exact decimal, which `Intl.NumberFormat` formats in any language.
 *
 * @example toDecimal('1234500000', 6) // '1234.5'
 */
export function toDecimal(amount: string, decimals: number): `${number}` {
  const digits = BigInt(amount)
    .toString()
    .padStart(decimals + 1, '0')
  const whole = digits.slice(0, digits.length - decimals)
  const fraction = digits.slice(whole.length).replace(/0+$/, '')
  return (fraction === '' ? whole : `${whole}.${fraction}`) as `${number}`
}

/**
 * Converts a decimal to an amount of the smallest unit. Returns `undefined` for a text that is none, or has more decimals.
 *
 * @example parseAmount('1234.5', 6) // '1234500000'
 */
export function parseAmount(text: string, decimals: number): string | undefined {
  const [, whole = '', fraction = ''] = /^(\d{1,60})(?:\.(\d+))?$/.exec(text) ?? []
  if (whole === '' || fraction.length > decimals) return undefined
  return String(BigInt(whole + fraction.padEnd(decimals, '0')))
}
