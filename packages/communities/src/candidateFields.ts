import type { AbiFunction } from 'viem'
import * as z from 'zod'
import type { CallSource, CandidateSource } from './Community.ts'
import { toWords, where } from './eventFields.ts'
import { address, argument, event, expectArgument, parseAbi } from './fields.ts'
import { addIssue, orNotAnObject, reject, shorten } from './issues.ts'

const functionForm = 'function name(address referrer)'

const fields = {
  address: address.optional(),
  event: event.optional(),
  file: z.string('must be the name of a file').min(1, 'must not be empty').max(500, 'is too long').optional(),
  calls: z.union([z.literal(true), z.string()], `must be true, or "${functionForm}"`).optional(),
  members: z.array(argument, 'must be a list of arguments').min(1, 'must name at least one argument').optional(),
  where: where.optional(),
  fromBlock: z.int('must be the number of a block').min(0, 'must not be negative').optional(),
}

type Named<source> = Omit<source, 'address'> & { address: CandidateSource['address'] | undefined }

/** Where addresses that may be members come from. `fromBlock` is `undefined` for the first block of the community. */
export type CandidateFields =
  | ({ from: 'event' } & Named<CandidateSource>)
  | ({ from: 'calls' } & Named<Omit<CallSource, 'fromBlock'>> & { fromBlock: number | undefined })
  | { from: 'file'; file: string }

/** Schema of an event, a file or calls that name addresses that may be members. */
export const candidate = z.strictObject(fields, orNotAnObject).transform((input, context): CandidateFields => {
  const { event, file, calls } = input
  if ([event, file, calls].filter((one) => one !== undefined).length !== 1)
    return reject(context, 'must have one of event, file and calls')
  const own = event ? ['address', 'members', 'where'] : file === undefined ? ['address', 'members', 'fromBlock'] : []
  for (const name of ['address', 'members', 'where', 'fromBlock'] as const)
    if (input[name] !== undefined && !own.includes(name))
      addIssue(context, `does not apply to ${event ? 'an event' : file === undefined ? 'calls' : 'a file'}`, [name])
  if (file !== undefined) return { from: 'file', file }
  if (calls !== undefined) return toCalls(context, { ...input, calls })
  return toEvent(context, input)
})

type Input = z.output<z.ZodObject<typeof fields>>

function toEvent(context: z.core.$RefinementCtx, { address, event, members, where }: Input): CandidateFields {
  if (!event || !members) return reject(context, 'must be a list of arguments of the event', ['members'])
  for (const [index, member] of members.entries())
    expectArgument(context, event, 'members', member, 'addresses', [index])
  return { from: 'event', address, event, members, where: toWords(context, event, where) }
}

function toCalls(
  context: z.core.$RefinementCtx,
  { address, calls, members, fromBlock }: Input & { calls: true | string },
): CandidateFields {
  const item = calls === true ? undefined : toFunction(context, calls)
  const inputs = item?.inputs ?? []
  if (inputs.some(({ name }) => name === 'sender'))
    addIssue(context, '"sender" is the address that calls: give the argument another name', ['calls'])
  const listed = ['sender', ...inputs.filter(({ type }) => /^address(\[\])?$/.test(type)).map(({ name }) => name ?? '')]
  for (const [index, member] of (members ?? listed).entries())
    if (!listed.includes(member) || member === '')
      addIssue(
        context,
        `there is no address "${shorten(member)}" in the call: name ${listed.filter(Boolean).join(', ')}`,
        [members ? 'members' : 'calls', ...(members ? [index] : [])],
      )
  return { from: 'calls', address, item, members: members ?? listed, fromBlock }
}

function toFunction(context: z.core.$RefinementCtx, text: string): AbiFunction | undefined {
  const item = parseAbi(text)
  if (!(item instanceof Error) && item.type === 'function') return item as AbiFunction
  addIssue(context, `"${shorten(text)}" is not the text of a function: write "${functionForm}", or true`, ['calls'])
  return undefined
}
