import { type AbiEvent, parseAbiItem } from 'viem'
import * as z from 'zod'
import type { AmountSource, Community } from './Community.ts'
import { address, argument, event, expectArgument } from './fields.ts'
import { addIssue, orNotAnObject, reject } from './issues.ts'
import {
  type BindPresetName,
  bindPresets,
  type Order,
  presetNames,
  type RewardPreset,
  rewardPresets,
} from './presets.ts'

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

const amountFields = {
  address: address.optional(),
  event: event.optional(),
  member: argument.optional(),
  amount: argument.optional(),
}

export const volumes = z
  .strictObject(amountFields, orNotAnObject)
  .transform((value, context) => toAmountSource(context, value))

export const rewards = z
  .strictObject(
    { ...amountFields, from: argument.optional(), preset: presetNames(rewardPresets).optional() },
    orNotAnObject,
  )
  .transform(({ preset, ...value }, context) => {
    if (!preset) return toRewardSource(context, value)
    const { event: text, from, ...names }: RewardPreset = rewardPresets[preset]
    // The `from` of a preset does not apply to another event or another member.
    const source = value.event || value.member === from ? undefined : from
    return toRewardSource(context, { ...names, from: source, event: parseAbiItem(text) as AbiEvent, ...value })
  })

export const unbind = z
  .strictObject({ address: address.optional(), event, member: argument }, orNotAnObject)
  .superRefine((value, context) => expectArgument(context, value.event, 'member', value.member, 'address'))

type AmountInput = { [key in keyof AmountSource]?: AmountSource[key] | undefined }

function toRewardSource(
  context: z.core.$RefinementCtx,
  { from, ...value }: AmountInput & { from?: string | undefined },
) {
  if (value.event && from !== undefined) expectArgument(context, value.event, 'from', from, 'address')
  return { ...toAmountSource(context, value), from }
}

/** Checks that the source of amounts is complete. */
function toAmountSource(context: z.core.$RefinementCtx, { address, event, member, amount }: AmountInput) {
  if (!event) return reject(context, 'must be the text of an event', ['event'])
  if (!member) return reject(context, 'must be the name of an argument of the event', ['member'])
  if (!amount) return reject(context, 'must be the name of an argument of the event', ['amount'])
  expectArgument(context, event, 'member', member, 'address')
  expectArgument(context, event, 'amount', amount, 'uint')
  return { address, event, member, amount }
}
