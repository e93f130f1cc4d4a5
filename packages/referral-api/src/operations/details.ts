import type * as z from 'zod'
import type { toExample } from '../examples.ts'
import type { problems } from '../problems.ts'
import type { LookupId, OperationId, Routes } from '../routes.ts'
import type { responses } from '../schemas.ts'

export type ProblemCode = keyof typeof problems
export type Responses = typeof responses
/** A JSON body with its schema, or a body of another type. */
export type Content = { schema: z.ZodType } | { type: BodyType }
type BodyType =
  | 'text/csv'
  | 'application/vnd.apache.parquet'
  | 'text/html'
  | 'application/atom+xml'
  | 'text/event-stream'
  | 'application/json'
/** A parameter in the query of an operation. */
export type QueryParameter = {
  schema: z.ZodType
  description: string
  /** Completes "it must be …". Not needed for a list of values. */
  expected?: string
  isRequired?: true
}

/** Days, as 2026-12-01, since which an operation is deprecated, and from which it may be gone, and what to use instead. */
export type Deprecation = { since: string; sunset: string; instead: string }

/** Texts of a lookup as a tool of agents: its name for people, and what it answers, with when to choose another. */
export type ToolTexts = { title: string; description: string }

/** Input, problems and texts of an operation. */
export type Described = {
  summary: string
  query?: Record<string, QueryParameter>
  body?: Content
  /** Problems in addition to those of every operation. */
  problems: readonly ProblemCode[]
  /** At least six months before it ends. */
  deprecated?: Deprecation
  example?: ReturnType<typeof toExample>
}

/** Details of an operation. Its route is in `routes.ts`, the schema of its JSON response in `responses` of `schemas.ts`. */
export type Details<id extends OperationId> = Described &
  (id extends keyof Responses ? { type?: never } : { type: BodyType }) &
  (id extends LookupId & keyof Responses ? ToolTexts : { [text in keyof ToolTexts]?: never })
export type DetailsOf<routes extends Partial<Routes>> = { [id in keyof routes & OperationId]: Details<id> }
