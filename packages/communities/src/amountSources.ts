import { type AbiEvent, parseAbiItem } from 'viem'
import * as z from 'zod'
import type { AmountSource } from './Community.ts'
import { expectArgument } from './expectArgument.ts'
import { address, argument, event } from './fields.ts'
import { orNotAnObject, reject } from './issues.ts'
import { presetNames, type RewardPreset, rewardPresets } from './presets.ts'

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
