import type * as z from 'zod'
import type * as schemas from './schemas.ts'

export type Address = `0x${string}`

/** What a schema yields, with addresses and hashes typed the way viem types them. */
type Answer<schema extends z.ZodType> = Typed<z.infer<schema>>
type HexKey = 'address' | 'contract' | 'referrer' | 'root' | 'tx'
type Typed<value> = value extends readonly (infer item)[]
  ? Typed<item>[]
  : value extends object
    ? { [key in keyof value]: key extends HexKey ? HexOf<value[key]> : Typed<value[key]> }
    : value
type HexOf<value> = value extends string ? `0x${string}` : value

export type AsOf = Answer<typeof schemas.asOf>
export type Token = Answer<typeof schemas.token>
export type Community = Answer<typeof schemas.community>
export type Communities = Answer<typeof schemas.communities>
export type Member = Answer<typeof schemas.member>
export type MemberStatus = Answer<typeof schemas.memberStatus>
export type MemberSummary = Answer<typeof schemas.memberSummary>
export type Levels = Answer<typeof schemas.levels>
export type Growth = Answer<typeof schemas.growth>
export type GrowthInterval = Answer<typeof schemas.growthInterval>
export type BatchRequest = Answer<typeof schemas.batchRequest>
export type Batch = Answer<typeof schemas.batch>
export type Events = Answer<typeof schemas.events>
export type Referrals = Answer<typeof schemas.referrals>
export type Referrers = Answer<typeof schemas.referrers>
export type Search = Answer<typeof schemas.search>
export type Metrics = Answer<typeof schemas.metrics>
export type Progress = Answer<typeof schemas.progress>
export type Status = Answer<typeof schemas.status>
export type Warning = Answer<typeof schemas.warning>
export type SpotCheck = Answer<typeof schemas.spotCheck>
export type Config = Answer<typeof schemas.config>
export type Label = Answer<typeof schemas.label>
export type Labels = Answer<typeof schemas.labels>
export type Problem = Answer<typeof schemas.problem>
export type ProblemCode = Answer<typeof schemas.problemCode>
