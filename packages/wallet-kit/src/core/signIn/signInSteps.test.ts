import { expect, test } from 'vitest'
import { SignInError } from '../lib/errors.ts'
import type { SignInStep } from '../state/state.ts'
import { reduceSignIn, type SignInEvent, type SignInStepName, signInSteps } from './signInSteps.ts'

const error = new SignInError('signing', new Error('no'))

test('an error is shown until the next attempt', () => {
  let step: SignInStep = { name: 'signing' }
  const names: SignInEvent[] = [{ type: 'failed', error }, { type: 'prepare' }, { type: 'prepared' }]
  for (const event of names) {
    step = reduceSignIn(step, event)
    expect(step).toHaveProperty('error', error)
  }
  expect(reduceSignIn(step, { type: 'sign' })).toEqual({ name: 'signing' })
})

test('an error of preparing is removed once there is a message', () => {
  const step: SignInStep = { name: 'preparing', error: new SignInError('preparing', undefined) }
  expect(reduceSignIn(step, { type: 'prepared' })).toEqual({ name: 'idle' })
})

test('an event that the step does not handle changes nothing', () => {
  const step: SignInStep = { name: 'verifying' }
  expect(reduceSignIn(step, { type: 'rejected' })).toBe(step)
})

test('every step can be reached, and from every step a message can be prepared', () => {
  const all = Object.keys(signInSteps) as SignInStepName[]
  const reached = new Set(all.flatMap((name) => Object.values(signInSteps[name])))
  expect([...reached].sort()).toEqual(all.sort())
  for (const name of all) expect(signInSteps[name].prepare ?? signInSteps[name].prepared).toBe('preparing')
})
