import * as z from 'zod'
import { addressPattern, prefixPattern } from '../address.ts'
import { dayPattern, isDay, isTimeZone } from '../days.ts'
import { growthInterval } from '../schemas.ts'
import type { QueryParameter } from './details.ts'

/** Schemas of the path parameters. */
export const pathParameters = {
  community: { schema: z.string(), description: 'Id of a community, as listed by `/communities`.' },
  address: {
    schema: z.string().regex(addressPattern),
    description: 'An address in any case. If it is in mixed case, its checksum must be correct.',
  },
  webhook: { schema: z.string().regex(/^[\w-]{1,40}$/), description: 'Id of a webhook of the account.' },
  token: { schema: z.string().regex(/^[\w-]{22}$/), description: 'The secret of a feed.' },
} as const

/** Problems of a path with these parameters. */
export const ofCommunity = ['community_not_found', 'withheld', 'indexing'] as const
export const ofMember = [...ofCommunity, 'member_not_found', 'invalid_address'] as const

/** Largest number of items per page. */
const pageLimit = 200
export const limit = {
  schema: z
    .int()
    .min(1)
    .transform((items) => Math.min(items, pageLimit))
    .default(50),
  expected: 'a whole number of at least 1',
  description: 'Maximum number of items per page. Values above 200 are treated as 200.',
}
export const cursor = { schema: z.string(), description: 'The `nextCursor` of the previous page of the same query.' }

export const queryAddress = { ...pathParameters.address, expected: 'an address: 0x and 40 hex digits' } as const
export const pair = { a: { ...queryAddress, isRequired: true }, b: { ...queryAddress, isRequired: true } } as const

/** The largest 32-bit number is reserved. */
const largest = 2 ** 32 - 2
export const whole = { schema: z.int().min(0).max(largest), expected: `a whole number from 0 to ${largest}` }
export const positive = { schema: z.int().min(1).max(largest), expected: `a whole number from 1 to ${largest}` }
export const prefix = {
  schema: z.string().regex(prefixPattern).toLowerCase(),
  description: 'Start of an address: 0x and 2 to 40 hex digits.',
  expected: 'the start of an address: 0x and 2 to 40 hex digits',
}
export const order = {
  schema: z.enum(['asc', 'desc']),
  description: 'Defaults to `asc` for `joined`, otherwise to `desc`.',
}
/** Zone of the days in a query and in its answer. */
export const tz = {
  schema: z.string().refine(isTimeZone).default('UTC'),
  expected: 'the name of a time zone, such as Asia/Shanghai',
  description: 'Time zone of all days, such as Asia/Shanghai.',
}
export const time = {
  schema: z.union([whole.schema, z.string().regex(dayPattern).refine(isDay)]),
  expected: `a day as 2026-06-01, or Unix seconds: ${whole.expected}`,
}
/** Filters of a downline. All that are given must match. */
export const filters = {
  joinedFrom: {
    ...time,
    description:
      'Joined on this day or later, or from this time on in Unix seconds. Members without a date are left out.',
  },
  joinedTo: {
    ...time,
    description:
      'Joined on this day or earlier, or up to this time in Unix seconds. Members without a date are left out.',
  },
  grade: {
    schema: z.string().regex(/^(exact|between|observed)(,(exact|between|observed)){0,2}$/),
    description:
      'Grade of the bind: `exact`, `between` or `observed`, or several with commas. Those that are not exact have no date.',
    expected: 'exact, between or observed, or several with commas',
  },
  levelFrom: { ...positive, description: 'On this level or below it. Not together with `level`.' },
  levelTo: { ...positive, description: 'On this level or above it. Not together with `level`.' },
  minTeam: { ...whole, description: 'At least so many members below.' },
  minVolume: {
    schema: z.string().regex(/^\d{1,78}$/),
    description: 'At least this much own plus team volume, in the token’s smallest unit.',
    expected: 'an amount in the smallest unit: 1 to 78 digits',
  },
  activeSince: {
    ...time,
    description: 'The newest volume or reward is of this day or later, or of this time in Unix seconds.',
  },
  prefix,
  bound: {
    schema: z.enum(['true', 'false']),
    description: 'Has a bind of its own. All members below another have one, so `false` returns an empty list.',
  },
} as const
export const ofFilters = ['contradictory_filter', 'too_many_filters'] as const

export const tx = {
  schema: z.enum(['true', 'false']),
  description: '`true` adds the transaction of each exact bind, which takes longer.',
}

/** Matches a past moment: a day or the number of a block. */
export const momentPattern = /^(\d{4}-\d{2}-\d{2}|\d{1,10})$/
export const moment = {
  schema: z
    .string()
    .regex(momentPattern)
    .refine((text) => isDay(text) || !text.includes('-')),
  description: 'A day as 2026-06-01, meaning its end, or the number of a block.',
  expected: 'a day as 2026-06-01, or the number of a block',
}

/** Returns whether a parameter is a past moment. */
export const isMomentParameter = (parameter: QueryParameter | undefined): boolean => parameter?.schema === moment.schema

export const asOf = { ...moment, description: 'As it was at the end of a day as 2026-06-01, or at a block.' }
export const pastAmounts = {
  schema: z.enum(['true', 'false']),
  description: '`true` adds amounts, which takes longer. Only with `asOf`.',
}
export const ofMoment = [
  'invalid_parameter',
  'moment_in_future',
  'moment_before_start',
  'moment_uncertain',
  'block_not_indexed',
  'too_costly',
] as const

/** A range of days or blocks, which may be open at both ends. */
export const range = {
  from: {
    ...moment,
    description: 'The first day, as 2026-06-01, or the block after which the range begins. Defaults to the beginning.',
  },
  to: { ...moment, description: 'The last day, as 2026-06-30, or the last block. Defaults to now.' },
  tz,
} as const
export const interval = {
  schema: growthInterval.default('day'),
  description: 'Days, weeks from Monday, or months.',
}
