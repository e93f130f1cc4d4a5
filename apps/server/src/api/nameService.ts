import { accountName } from '@lineage/referral-api/schemas'
import { readText } from '@lineage/wallet-kit/siwe-server'
import * as z from 'zod'
import { createCache } from '../lib/cache.ts'
import { ProblemError, requireAddress } from '../lib/problem.ts'
import type { NameServiceSettings } from '../settings/settings.ts'

/** Largest answer, in bytes: a name and its picture. */
const answerLimit = 64 * 1024
/** Time for which an answer is reused, in milliseconds. */
const maxAge = 60_000
/** Largest number of cached answers. */
const cacheSize = 256

type AccountName = z.infer<typeof accountName>

const plainAnswer = z.object({ data: z.string().nullish(), avatar: z.unknown().optional() })
/** Some services wrap the answer once more, so that clients read data.data. */
const wrappedAnswer = z.object({ data: plainAnswer }).transform(({ data }) => data)
const serviceAnswer = z.union([plainAnswer, wrappedAnswer])

export type NameServiceParameters = NameServiceSettings & {
  /** Time limit for an answer of the service, in milliseconds. */
  timeout: number
  /** Milliseconds that only increase. */
  now?: () => number
}

/** Creates the handler of `/v1/resolve-ens`, which keeps the API key on the server and reuses an answer for a minute. */
export function createNameService({ now, ...service }: NameServiceParameters) {
  const find = createCache<AccountName>({ maxAge, size: cacheSize, ...(now && { now }) })
  return async (address: string): Promise<Response> => {
    const account = requireAddress(address).toLowerCase()
    try {
      const headers = { 'cache-control': `private, max-age=${maxAge / 1000}` }
      return Response.json(await find(account, () => fetchName(account, service)), { headers })
    } catch {
      throw new ProblemError('unavailable', 'The name service does not answer. Try again later.')
    }
  }
}

async function fetchName(
  account: string,
  { url, apiKey, header, timeout }: Omit<NameServiceParameters, 'now'>,
): Promise<AccountName> {
  const response = await fetch(`${url}/v1/resolve-ens?address=${account}`, {
    headers: { accept: 'application/json', ...(apiKey !== null && { [header]: apiKey }) },
    signal: AbortSignal.timeout(timeout),
    // A redirect would send the API key to another host.
    redirect: 'error',
  })
  if (!response.ok) {
    await response.body?.cancel()
    throw new Error(`The name service answered with status ${response.status}.`)
  }
  const text = await readText(response, answerLimit)
  if (text === undefined) throw new Error(`The name service answered with more than ${answerLimit} bytes.`)
  const { data, avatar } = serviceAnswer.parse(JSON.parse(text))
  const name = accountName.shape.data.safeParse(data).data ?? null
  // Allow only data: images, which the policy of the page permits.
  const picture = accountName.shape.avatar.safeParse(avatar).data
  return { data: name, ...(name !== null && picture !== undefined && { avatar: picture }) }
}
