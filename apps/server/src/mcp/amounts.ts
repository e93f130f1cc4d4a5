import { type Community, formatAmount, parseAmount, type Token } from '@lineage/referral-api'
import { amountKinds } from '@lineage/referral-api/amounts'
import { ProblemError } from '../lib/problem.ts'

type Tokens = Community['tokens']

/**
 * Writes the amounts of an answer as decimals with their token, such as `1234.5 USDT`, because agents take a number of the
 * smallest unit for one of tokens.
 *
 * @param tokensOf returns the tokens of a community; `community` is that of the call
 */
export function writeAmounts(value: unknown, tokensOf: (community: string) => Tokens | undefined, community: string) {
  const write = (one: unknown, of: string): unknown => {
    if (Array.isArray(one)) return one.map((item) => write(item, of))
    if (typeof one !== 'object' || one === null) return one
    const given = one as Record<string, unknown>
    const own = typeof given.community === 'string' ? given.community : of
    return Object.fromEntries(
      Object.entries(given).map(([key, item]) => {
        const token = typeof item === 'string' && /^\d+$/.test(item) ? tokenOf(key, given, tokensOf(own)) : undefined
        return [key, token ? formatAmount(item as string, token) : write(item, own)]
      }),
    )
  }
  return write(value, community) as Record<string, unknown>
}

/** Returns the token of a field; `undefined` if it is no amount. */
function tokenOf(key: string, { kind }: Record<string, unknown>, tokens: Tokens | undefined): Token | null | undefined {
  if (key === 'amount') return tokens?.[amountKinds.find((one) => one === kind) ?? 'volume']
  if (/reward/i.test(key)) return tokens?.reward
  return /volume|leg/i.test(key) ? tokens?.volume : undefined
}

/** Converts an amount in tokens to the smallest unit. @throws {ProblemError} `invalid_parameter` */
export function toUnits(text: string, token: Token | null): string {
  const units = parseAmount(text, token?.decimals ?? 0)
  if (units !== undefined) return units
  const detail = `Invalid argument "minVolume": it must be a number of tokens with at most ${token?.decimals ?? 0} decimals, such as 1000.`
  throw new ProblemError('invalid_parameter', detail, { parameter: 'minVolume' })
}
