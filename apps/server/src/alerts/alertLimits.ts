import type { Address } from '@lineage/referral-api'
import type { Query } from '../database/database.ts'

/** Largest number of watches of all accounts, whose addresses are sent to the index at once. */
export const mostWatches = 20_000

/** Largest number of watches and of webhooks per account. */
export const alertLimits = { watches: 50, webhooks: 5 } as const

/** Thrown when a change would exceed a limit of the account or of the service. Nothing was changed. */
export class AlertLimitError extends Error {
  override readonly name = 'AlertLimitError'
  readonly of: keyof typeof alertLimits

  constructor(of: keyof typeof alertLimits, limitOf: 'account' | 'service' = 'account') {
    super(
      limitOf === 'account'
        ? `An account can have ${alertLimits[of]} ${of}. Nothing was changed. Delete one first.`
        : `This service can keep ${mostWatches} ${of}, and has as many. Nothing was changed. Your network has as many as any other, so try again later.`,
    )
    this.of = of
  }
}

/** Throws if an account has too many watches or webhooks. @throws {AlertLimitError} */
export async function checkLimit(query: Query, name: keyof typeof alertLimits, account: Address): Promise<void> {
  const [row] = await query(`select count(*) as count from lineage_accounts.${name} where account = $1`, [account])
  if (Number(row?.count) > alertLimits[name]) throw new AlertLimitError(name)
}
