import { type Token, toDecimal } from '@lineage/referral-api'
import { createCalendar, zoneOfPage } from '@lineage/referral-api/days'
import { createContext, use } from 'react'
import { spaceScripts, useTranslation } from './i18n.ts'

/** Smallest number beyond the compact notation of every language. */
const beyondNames = 10n ** 16n

/** Amounts below one millionth of a token are written as powers of ten, because their zeros would need a line. */
const millionth = 1_000_000n

/** Formatters for numbers, amounts and times. */
export type Format = ReturnType<typeof createFormat>

/**
 * Creates the formatters of a language and a time zone.
 *
 * @example
 * createFormat('zh-CN', 'UTC').big(123_456_789) // '1.235亿'
 */
export function createFormat(locale: string, timeZone: string) {
  const calendar = once(() => createCalendar(timeZone))
  const whole = once(() => new Intl.NumberFormat(locale, { maximumFractionDigits: 0 }))
  const compact = once(() => new Intl.NumberFormat(locale, { notation: 'compact', maximumSignificantDigits: 4 }))
  const tick = once(
    () =>
      new Intl.NumberFormat(locale, {
        notation: 'compact',
        maximumSignificantDigits: 3,
        useGrouping: 'always',
      }),
  )
  const powerOfTen = once(() => new Intl.NumberFormat(locale, { notation: 'scientific', maximumSignificantDigits: 4 }))
  const short = once(() => new Intl.NumberFormat(locale, { maximumSignificantDigits: 4 }))
  const percent = once(() => new Intl.NumberFormat(locale, { style: 'percent', maximumFractionDigits: 1 }))
  const ratio = once(() => new Intl.NumberFormat(locale, { maximumFractionDigits: 2 }))
  // Parts instead of `dateStyle`, whose form in Taiwan's Chinese differs by version of ICU.
  const dateParts = { year: 'numeric', month: locale.startsWith('zh') ? 'long' : 'short', day: 'numeric' } as const
  const timeParts = {
    hour: locale.startsWith('zh') ? '2-digit' : 'numeric',
    minute: '2-digit',
    second: '2-digit',
  } as const
  const date = once(() => new Intl.DateTimeFormat(locale, { ...dateParts, timeZone }))
  // A day as text is formatted as it is.
  const longDate = once(() => new Intl.DateTimeFormat(locale, { ...dateParts, timeZone: 'UTC' }))
  const shortDate = once(() => new Intl.DateTimeFormat(locale, { month: 'short', day: 'numeric', timeZone: 'UTC' }))
  const monthOfYear = once(() => new Intl.DateTimeFormat(locale, { year: 'numeric', month: 'short', timeZone: 'UTC' }))
  // Without it, Taiwan's Chinese names the part of the day before an hour of twelve.
  const hourCycle = locale.startsWith('zh') ? { hourCycle: 'h23' as const } : {}
  const moment = once(() => new Intl.DateTimeFormat(locale, { ...dateParts, ...timeParts, timeZone, ...hourCycle }))
  const time = once(
    () => new Intl.DateTimeFormat('en', { hour: '2-digit', minute: '2-digit', hourCycle: 'h23', timeZone }),
  )
  const relative = once(() => new Intl.RelativeTimeFormat(locale, { numeric: 'auto' }))

  const spaceOut = locale.startsWith('zh') ? spaceScripts : (text: string) => text
  // Versions of ICU, as the server and the browser have, differ in the spaces of a time.
  const spaced = (text: string) => spaceOut(text.replace(/[\u2009\u202F]/g, ' '))
  const count = (value: number) => whole().format(value)
  /** Formats a number exactly below a million, then in short. */
  const big = (value: number) => (Math.abs(value) < 1_000_000 ? whole().format(value) : spaced(compact().format(value)))

  /** Formats an amount without its unit, from the integer, never through a float. */
  function amount(value: string, token: Token, style: 'exact' | 'short' = 'short'): string {
    const decimal = toDecimal(value, token.decimals)
    if (style === 'exact') {
      // Firefox 115 would put the whole text through a float. All languages of the page have this decimal point.
      const [integer = '', ...fraction] = decimal.split('.')
      return [whole().format(BigInt(integer)), ...fraction].join('.')
    }
    const [units, unit] = [BigInt(value), 10n ** BigInt(token.decimals)]
    const integer = units / unit
    if (integer >= beyondNames || (units > 0n && units * millionth < unit))
      return powerOfTen().format(decimal).replace('E', '×10^')
    if (integer >= 1_000_000n) return spaced(compact().format(decimal))
    if (integer >= 1_000n) return whole().format(decimal)
    return short().format(decimal)
  }

  return {
    locale,
    timeZone,
    get calendar() {
      return calendar()
    },
    count,
    big,
    amount,
    amountWithUnit: (value: string, token: Token, style: 'exact' | 'short' = 'short') =>
      `${amount(value, token, style)}\u00A0${token.symbol}`,
    /** Short number for an axis. */
    tick: (value: number) => spaced(tick().format(value)),
    ratio: (value: number) => ratio().format(value),
    /** Approximate file size: `220 kB`, `150 MB`. */
    bytes(value: number): string {
      const [unit, size] = value < 1_000_000 ? (['kilobyte', 1_000] as const) : (['megabyte', 1_000_000] as const)
      const number = new Intl.NumberFormat(locale, { style: 'unit', unit, maximumSignificantDigits: 2 })
      return spaced(number.format(Math.max(1, value / size)))
    },
    /** Formats `part / total` as a percentage. */
    share: (part: string, total: string) => percent().format(shareOf(part, total)),
    time: (seconds: number) => time().format(seconds * 1_000),
    day: (seconds: number) => spaced(date().format(seconds * 1_000)),
    shortDay: (iso: string) => spaced(shortDate().format(Date.parse(iso))),
    month: (iso: string) => spaced(monthOfYear().format(Date.parse(iso))),
    longDay: (iso: string) => spaced(longDate().format(Date.parse(iso))),
    moment: (seconds: number) => spaced(`${moment().format(seconds * 1_000)} ${calendar().clocksAt(seconds)}`),
    /** Relative time; a future time is formatted as a day. */
    ago(seconds: number, now = Date.now() / 1_000): string {
      const gone = now - seconds
      if (gone < -60) return spaced(date().format(seconds * 1_000))
      if (gone < 5) return relative().format(0, 'second')
      const [unit, length] = units.find(([, length]) => gone >= length) ?? units[5]
      return spaced(relative().format(-Math.floor(gone / length), unit))
    },
  }
}

/** Returns a function that creates a value on its first call. A formatter of `Intl` takes longer than rendering a component. */
function once<value>(create: () => value): () => value {
  let known: { value: value } | undefined
  return () => {
    known ??= { value: create() }
    return known.value
  }
}

const units = [
  ['year', 31_536_000],
  ['month', 2_592_000],
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
  ['second', 1],
] as const

/** Returns `part / total` between 0 and 1, exact to a millionth. */
export function shareOf(part: string, total: string): number {
  const whole = BigInt(total)
  return whole === 0n ? 0 : Number((BigInt(part) * 1_000_000n) / whole) / 1_000_000
}

/** The time zone of the page's URL. */
export const TimeZoneContext = createContext<string | undefined>(undefined)

/** Returns the formatters of the page's language and time zone. */
export function useFormat(): Format {
  const { language } = useTranslation().i18n
  const zone = use(TimeZoneContext) ?? zoneOfPage(new URLSearchParams(), language)
  return findFormat(language, zone)
}

/** Formatters by language and time zone. */
const formats = new Map<string, Format>()
/** The largest number of them that is kept. */
const mostFormats = 12

function findFormat(language: string, zone: string): Format {
  const key = `${language} ${zone}`
  const format = formats.get(key) ?? createFormat(language, zone)
  formats.set(key, format)
  const [oldest] = formats.keys()
  if (formats.size > mostFormats && oldest !== undefined) formats.delete(oldest)
  return format
}
