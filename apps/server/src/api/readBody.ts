import type { ProblemCode } from '@lineage/referral-api'
import { readJson } from '@lineage/wallet-kit/siwe-server'
import type * as z from 'zod'
import { problem } from '../lib/problem.ts'
import { type AccountRequest, unauthenticated } from './forAccount.ts'

type ReadBodyParameters<Schema> = {
  schema: Schema
  /** Code of the problem of a body that does not match the schema. */
  invalid: ProblemCode
  /** Largest number of bytes. */
  limit: number
  /** Checks the body before it is validated, which takes long for a large one. Returns the response that refuses it. */
  refuse?: (json: unknown) => Response | undefined
}

/**
 * Returns the body of a request, or the response that refuses it. It also refuses if the account signed out or was
 * deleted meanwhile.
 */
export async function readBody<Schema extends z.ZodType>(
  { request, isSignedIn }: AccountRequest,
  { schema, invalid, limit, refuse }: ReadBodyParameters<Schema>,
): Promise<z.output<Schema> | Response> {
  const { code, detail, json } = await readJson(request, limit)
  if (!(await isSignedIn())) return unauthenticated()
  if (code !== 'ok') return problem(code === 'malformed' ? invalid : code, { detail })
  const refusal = refuse?.(json)
  if (refusal) return refusal
  const parsed = schema.safeParse(json)
  if (parsed.success) return parsed.data
  const [issue] = parsed.error.issues
  return problem(invalid, { detail: `${issue?.path.join('.') || 'body'}: ${issue?.message}.` })
}
