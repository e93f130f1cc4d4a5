import { type AbiEvent, parseAbiItem } from 'viem'
import type * as z from 'zod'
import type { Community } from './Community.ts'
import { expectArgument } from './expectArgument.ts'
import { addIssue, reject } from './issues.ts'
import { type BindPresetName, bindPresets, type Order } from './presets.ts'

type BindEvent = Pick<Community, 'event' | 'member' | 'referrer'>
type BindEventInput = { [key in keyof BindEvent]: BindEvent[key] | undefined } & {
  preset: BindPresetName | undefined
  order: Order | undefined
}

/**
 * Returns the event of a bind and its two arguments, from the fields or from the preset. Their order is never
 * guessed.
 */
export function resolveBindEvent(context: z.core.$RefinementCtx, input: BindEventInput): BindEvent {
  if (input.order && !input.preset)
    addIssue(context, 'applies to presets only: name member and referrer instead', ['order'])
  const preset = input.preset && bindPresets[input.preset]
  const event = input.event ?? (preset && (parseAbiItem(preset.event) as AbiEvent))
  if (!event) return reject(context, 'must be the text of an event, or preset the name of a known one', ['event'])
  const order = input.order ?? (preset?.orders === 'memberFirst' ? 'memberFirst' : undefined)
  const [first, second] = event.inputs.map(({ name }) => name)
  const member = input.member ?? (order && (order === 'memberFirst' ? first : second))
  const referrer = input.referrer ?? (order && (order === 'memberFirst' ? second : first))
  if (preset && !(member && referrer))
    return reject(
      context,
      `must be "memberFirst" or "referrerFirst": ${event.name} is deployed with both orders, so look at a few transactions of the contract`,
      ['order'],
    )
  if (!member) return reject(context, 'must be the name of an argument of the event', ['member'])
  if (!referrer) return reject(context, 'must be the name of an argument of the event', ['referrer'])
  expectArgument(context, event, 'member', member, 'address')
  expectArgument(context, event, 'referrer', referrer, 'address')
  if (member === referrer) addIssue(context, 'is the same argument as member: name the other one', ['referrer'])
  return { event, member, referrer }
}
