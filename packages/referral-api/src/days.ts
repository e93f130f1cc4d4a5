/**
 * Days of a time zone. Every range of days is made here, for the server and for pages: it includes its first and its
 * last day.
 *
 * @see https://www.iana.org/time-zones
 */

/** A day of the calendar as 2026-06-01. */
export const dayPattern = /^\d{4}-\d{2}-\d{2}$/

export type Interval = 'day' | 'week' | 'month'
/** The days of a time zone. */
export type Calendar = ReturnType<typeof createCalendar>

const secondsADay = 86_400

/**
 * Returns whether a text is a day of the calendar.
 *
 * @example isDay('2026-02-30') // false
 */
export const isDay = (text: string): boolean =>
  dayPattern.test(text) && !Number.isNaN(numberOf(text)) && formatDay(numberOf(text)) === text

/**
 * Returns whether a text is the name of a time zone.
 *
 * @example isTimeZone('Asia/Shanghai') // true
 */
export function isTimeZone(name: string): boolean {
  try {
    return /^[A-Za-z][\w+\-/]{1,49}$/.test(name) && new Intl.DateTimeFormat('en', { timeZone: name }) !== undefined
  } catch {
    return false
  }
}

/**
 * Returns the time zone of a page: that of `?tz=`, or else the one of its language.
 *
 * @example zoneOfPage(new URLSearchParams(), 'zh-TW') // 'Asia/Shanghai'
 */
export function zoneOfPage(parameters: URLSearchParams, language: string): string {
  const asked = parameters.get('tz') ?? ''
  if (isTimeZone(asked)) return asked
  return language.startsWith('zh') ? 'Asia/Shanghai' : 'UTC'
}

/**
 * Creates the calendar of a time zone. A day begins with the first second that its clocks show of it or of a later one,
 * so that days have no gaps: not where clocks skip midnight, nor where they show it twice.
 *
 * @example
 * const { firstSecond, lastSecond } = createCalendar('Asia/Shanghai')
 * const june = { from: firstSecond('2026-06-01'), to: lastSecond('2026-06-30') }
 *
 * @throws {RangeError} if there is no such time zone
 */
export function createCalendar(timeZone: string) {
  const format = new Intl.DateTimeFormat('en-US', { timeZone, timeZoneName: 'longOffset' })
  const isUtc = format.resolvedOptions().timeZone === 'UTC'
  /** Returns the seconds by which clocks are ahead of UTC. */
  const offsetAt = (seconds: number): number => (isUtc ? 0 : readOffset(format.format(seconds * 1_000)))
  const clockAt = (seconds: number): number => seconds + offsetAt(seconds)

  /** Returns the first second of a day by its number. `offset`: that of a day before, which saves a look-up. */
  function startOf(day: number, offset?: number): number {
    const midnight = day * secondsADay
    const start = midnight - (offset ?? offsetAt(midnight))
    if (clockAt(start) === midnight && (offset !== undefined || clockAt(start - 1) === midnight - 1)) return start
    return offset === undefined ? findStart(midnight) : startOf(day)
  }

  /** Finds the first second at which clocks show midnight or later. No clock is sixteen hours away from UTC. */
  function findStart(midnight: number): number {
    let [low, high] = [midnight - 16 * 3_600, midnight + 16 * 3_600]
    while (low < high) {
      const middle = Math.floor((low + high) / 2)
      if (clockAt(middle) >= midnight) high = middle
      else low = middle + 1
    }
    return low
  }

  return {
    timeZone,
    /** Returns the day of a Unix time. */
    dayOf: (seconds: number): string => formatDay(Math.floor(clockAt(seconds) / secondsADay)),
    /** Returns the first second of a day as Unix time. */
    firstSecond: (day: string): number => startOf(numberOf(day)),
    /** Returns the last second of a day as Unix time. */
    lastSecond: (day: string): number => startOf(numberOf(day) + 1) - 1,
    /** Returns what clocks show at a Unix time, as spreadsheets read it: `2026-06-01 08:00:00`. */
    clockText: (seconds: number): string =>
      new Date(clockAt(seconds) * 1_000).toISOString().slice(0, 19).replace('T', ' '),
    /** Names the clocks of a moment: `UTC`, `UTC+8` or `UTC+5:45`. */
    clocksAt: (seconds: number): string => nameOffset(offsetAt(seconds)),
    /**
     * Lists the first seconds of all periods from the one of a Unix time to the one of another. Weeks begin on Mondays.
     */
    periods(interval: Interval, from: number, to: number): number[] {
      const starts: number[] = []
      let day = firstDayOf(interval, Math.floor(clockAt(from) / secondsADay))
      let start = startOf(day)
      while (start <= to) {
        starts.push(start)
        const offset = day * secondsADay - start
        day = dayAfter(interval, day)
        start = startOf(day, offset)
      }
      return starts
    },
  }
}

/** Reads the offset in seconds from a text that ends in `GMT+08:00`. */
function readOffset(text: string): number {
  const [, sign, hours, minutes, seconds = 0] = /GMT(?:([+\-−])(\d\d):(\d\d)(?::(\d\d))?)?$/.exec(text) ?? []
  if (sign === undefined) return 0
  return (sign === '+' ? 1 : -1) * (Number(hours) * 3_600 + Number(minutes) * 60 + Number(seconds))
}

function nameOffset(seconds: number): string {
  if (seconds === 0) return 'UTC'
  const minutes = Math.abs(seconds) / 60
  const rest = minutes % 60 === 0 ? '' : `:${String(Math.floor(minutes % 60)).padStart(2, '0')}`
  return `UTC${seconds < 0 ? '−' : '+'}${Math.floor(minutes / 60)}${rest}`
}

/** Returns the number of a day, counted from 1970. */
const numberOf = (day: string): number => Date.parse(`${day}T00:00:00Z`) / 1_000 / secondsADay

const formatDay = (day: number): string => new Date(day * secondsADay * 1_000).toISOString().slice(0, 10)

function firstDayOf(interval: Interval, day: number): number {
  if (interval === 'day') return day
  if (interval === 'week') return day - ((day + 3) % 7)
  return numberOf(`${formatDay(day).slice(0, 7)}-01`)
}

function dayAfter(interval: Interval, first: number): number {
  if (interval === 'day') return first + 1
  return interval === 'week' ? first + 7 : firstDayOf('month', first + 31)
}

/**
 * Returns the Unix time that a text of a query means: seconds as they are, and of a day its first or last second, within
 * the 32 bits of a block's time.
 *
 * @example readTime('2026-06-30', 'last', 'UTC') // 1782863999
 */
export function readTime(text: string | number, edge: 'first' | 'last', timeZone = 'UTC'): number {
  if (typeof text === 'number' || !dayPattern.test(text)) return Number(text)
  const { firstSecond, lastSecond } = createCalendar(timeZone)
  return Math.min(Math.max(edge === 'first' ? firstSecond(text) : lastSecond(text), 0), 2 ** 32 - 2)
}
