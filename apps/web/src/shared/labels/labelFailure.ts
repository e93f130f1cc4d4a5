import { ReferralApiError } from '@lineage/referral-api'

/** Reason why a change was not saved. */
export type LabelFailure = 'limit' | 'storage' | 'signedOut' | 'busy' | 'unreachable' | 'failed'

/** Thrown when saving to this browser failed. */
export class BrowserLabelsError extends Error {
  override readonly name = 'BrowserLabelsError'
  readonly failure: Extract<LabelFailure, 'limit' | 'storage'>

  constructor(failure: BrowserLabelsError['failure'], options?: ErrorOptions) {
    super(`The browser did not save the labels (${failure}).`, options)
    this.failure = failure
  }
}

export function toLabelFailure(error: unknown): LabelFailure {
  if (error instanceof BrowserLabelsError) return error.failure
  switch (error instanceof ReferralApiError ? error.code : undefined) {
    case 'too_many_labels':
      return 'limit'
    case 'unauthenticated':
      return 'signedOut'
    case 'rate_limited':
      return 'busy'
    case 'unreachable':
    case 'unavailable':
      return 'unreachable'
    default:
      return 'failed'
  }
}
