import { ReferralApiError } from '@lineage/referral-api'
import { expect, test } from 'vitest'
import { BrowserLabelsError, toLabelFailure } from './browserLabels.ts'

test.each([
  ['too_many_labels', 'limit'],
  ['unauthenticated', 'signedOut'],
  ['rate_limited', 'busy'],
  ['unreachable', 'unreachable'],
  ['unavailable', 'unreachable'],
  ['invalid_label', 'failed'],
] as const)('behavior: %s is %s', (code, failure) => {
  expect(toLabelFailure(new ReferralApiError('', { code, status: 400 }))).toBe(failure)
})

test('behavior: the browser’s failures, and unknown ones', () => {
  expect(toLabelFailure(new BrowserLabelsError('storage'))).toBe('storage')
  expect(toLabelFailure(new BrowserLabelsError('limit'))).toBe('limit')
  expect(toLabelFailure('?')).toBe('failed')
})
