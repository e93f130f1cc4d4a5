import { accountName } from '@lineage/referral-api/schemas'
import { isAddress } from 'viem'
import * as z from 'zod'
import { readBody } from './body.ts'
import { problem } from './problem.ts'
import type { NameService } from './settings.ts'

/** A name and its picture. */
const answerLimit = 64 * 1024
/** How long an answer is good for all who ask, in milliseconds. */
const goodFor = 60_000
/** How many answers are kept, each of `answerLimit` at most. */
const keptLimit = 256

/** Clients that wrap the answer read it as data.data. */
const answered = z.object({ data: z.string().nullish(), avatar: z.unknown().optional() })
const wrapped = z.object({ data: answered }).transform(({ data }) => data)
const serviceAnswer = z.union([answered, wrapped])

export type Names = { answer: (address: string) => Promise<Response> }

/**
 * Asks the operator's name service what an account is called, and keeps its key here. All who ask for one account within a
 * minute share an answer; a failure is not kept.
 */
export function createNames({ url, apiKey, header, patience = 10_000, now = Date.now }: NamesParameters): Names {
  const kept = new Map<string, { until: number; answer: Promise<z.infer<typeof accountName>> }>()

  function find(account: string) {
    const time = now()
    const known = kept.get(account)
    if (known && known.until > time) return known.answer
    const entry = { until: time + goodFor, answer: ask(account) }
    // Set anew, it stands last: the first is the oldest.
    kept.delete(account)
    kept.set(account, entry)
    const [oldest] = kept.keys()
    if (kept.size > keptLimit && oldest !== undefined) kept.delete(oldest)
    entry.answer.catch(() => {
      if (kept.get(account) === entry) kept.delete(account)
    })
    return entry.answer
  }

  async function ask(account: string): Promise<z.infer<typeof accountName>> {
    const response = await fetch(`${url}/v1/resolve-ens?address=${account}`, {
      headers: { accept: 'application/json', ...(apiKey !== null && { [header]: apiKey }) },
      signal: AbortSignal.timeout(patience),
      // The key is for this service, and for no other that it might point to.
      redirect: 'error',
    })
    if (!response.ok) {
      await response.body?.cancel()
      throw new Error(`The name service answered ${response.status}.`)
    }
    const bytes = await readBody(response, answerLimit)
    if (bytes === 'too_large') throw new Error(`The name service answered with more than ${answerLimit} bytes.`)
    const { data, avatar } = serviceAnswer.parse(JSON.parse(new TextDecoder().decode(bytes)))
    const name = accountName.shape.data.safeParse(data).data ?? null
    // The page's policy lets no other picture in.
    const picture = accountName.shape.avatar.safeParse(avatar).data
    return { data: name, ...(name !== null && picture !== undefined && { avatar: picture }) }
  }

  return {
    async answer(address) {
      if (!isAddress(address, { strict: false }))
        return problem('invalid_address', { detail: 'An address is 0x and 40 characters.' })
      try {
        const found = await find(address.toLowerCase())
        return Response.json(found, { headers: { 'cache-control': `private, max-age=${goodFor / 1000}` } })
      } catch {
        return problem('unavailable', { detail: 'The name service does not answer at the moment.' })
      }
    },
  }
}

export type NamesParameters = NameService & {
  /** Milliseconds the service has. */
  patience?: number
  now?: () => number
}
