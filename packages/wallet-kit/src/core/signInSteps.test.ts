import { expect, test } from 'vitest'
import { SignInError } from './errors.ts'
import { reduceSignIn, type SignInEvent, type SignInStep, type SignInStepName, signInSteps } from './signInSteps.ts'

const error = new SignInError('signing', new Error('no'))

test('what failed is said until the next try', () => {
  let step: SignInStep = { name: 'signing' }
  const names: SignInEvent[] = [{ type: 'failed', error }, { type: 'prepare' }, { type: 'prepared' }]
  for (const event of names) {
    step = reduceSignIn(step, event)
    expect(step).toHaveProperty('error', error)
  }
  expect(reduceSignIn(step, { type: 'sign' })).toEqual({ name: 'signing' })
})

test('once there is a message, that there was none is past', () => {
  const step: SignInStep = { name: 'preparing', error: new SignInError('preparing', undefined) }
  expect(reduceSignIn(step, { type: 'prepared' })).toEqual({ name: 'idle' })
})

test('an event that has no place changes nothing', () => {
  const step: SignInStep = { name: 'verifying' }
  expect(reduceSignIn(step, { type: 'rejected' })).toBe(step)
})

test('every step is reached, and from every step the message is', () => {
  const all = Object.keys(signInSteps) as SignInStepName[]
  const reached = new Set(all.flatMap((name) => Object.values(signInSteps[name])))
  expect([...reached].sort()).toEqual(all.sort())
  for (const name of all) expect(signInSteps[name].prepare ?? signInSteps[name].prepared).toBe('preparing')
})
