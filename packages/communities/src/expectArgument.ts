import type { AbiEvent } from 'viem'
import type * as z from 'zod'
import { addIssue, shorten } from './issues.ts'

/** Adds an issue at `field` unless the event has an argument of that name and type. */
export function expectArgument(
  context: z.core.$RefinementCtx,
  { name: eventName, inputs }: AbiEvent,
  field: string,
  argument: string,
  type: 'address' | 'uint',
): void {
  const input = inputs.find(({ name }) => name === argument)
  if (!input) {
    const names = inputs.map(({ name }) => name).join(', ') || 'none'
    addIssue(context, `there is no argument "${shorten(argument)}": ${eventName} has ${names}`, [field])
  } else if (type === 'address' ? input.type !== 'address' : !/^uint\d*$/.test(input.type)) {
    const expected = type === 'address' ? 'an address' : 'an unsigned integer'
    addIssue(context, `the argument "${shorten(argument)}" is ${input.type}: name one that is ${expected}`, [field])
  }
}
