import { expect, test } from 'vitest'
import { isApiTarget } from './isApiTarget.ts'

test.each(['/v1/communities', '/v1/communities/demo/members/0xAb/referrals.csv?level=1', '/v1/a/%E7%A4%BE?q=../%2f'])(
  'behavior: %s is a path of the API',
  (target) => expect(isApiTarget(target)).toBe(true),
)

test.each([
  '/v1',
  '/v1?x',
  '/v1/../metrics',
  '/v1/%2e%2e/metrics',
  '/v1/a%2fb',
  '/v1//metrics',
  '/metrics',
  'http://a/v1/x',
])('attack: %s is not', (target) => expect(isApiTarget(target)).toBe(false))
