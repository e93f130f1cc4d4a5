import type * as z from 'zod'
import type { DetailsById } from './operations.ts'
import type { OperationId } from './routes.ts'
import type * as schemas from './schemas.ts'

export type Address = `0x${string}`

/** Output of a schema, with addresses and hashes typed like in viem. */
type Output<schema extends z.ZodType> = Typed<z.infer<schema>>
type HexKey = 'a' | 'address' | 'b' | 'common' | 'contract' | 'member' | 'referrer' | 'root' | 'tx'
type Typed<value> = value extends readonly (infer item)[]
  ? Typed<item>[]
  : value extends object
    ? { [key in keyof value]: key extends HexKey ? HexOf<value[key]> : Typed<value[key]> }
    : value
type HexOf<value> = value extends string ? `0x${string}` : value

type Responses = typeof schemas.responses
/** Id of an operation that returns JSON. */
export type JsonId = keyof Responses
/** JSON response of an operation. */
export type ResponseOf<id extends JsonId> = Output<Responses[id]>

/** JSON request body of an operation; `undefined` if it has none. */
export type BodyOf<id extends OperationId> = DetailsById[id] extends {
  body: { schema: infer schema extends z.ZodType }
}
  ? Output<schema>
  : undefined

type Query<id extends OperationId> = DetailsById[id] extends { query: infer query } ? query : unknown
type RequiredName<query> = {
  [name in keyof query]: query[name] extends { isRequired: true } ? name : never
}[keyof query]
type Input<parameter> = parameter extends { schema: infer schema extends z.ZodType } ? z.input<schema> : never
/** Query parameters of an operation. */
export type QueryOf<id extends OperationId> = {
  [name in RequiredName<Query<id>>]: Input<Query<id>[name]>
} & { [name in Exclude<keyof Query<id>, RequiredName<Query<id>>>]?: Input<Query<id>[name]> | undefined }

/** Names of the parameters that a parsed query always has. */
type FilledName<query> =
  | RequiredName<query>
  | { [name in keyof query]: query[name] extends { schema: z.ZodDefault } ? name : never }[keyof query]
type Parsed<parameter> = parameter extends { schema: infer schema extends z.ZodType } ? z.output<schema> : never
/** Query of a request, parsed by `parseQuery`. */
export type ParsedQueryOf<id extends OperationId> = {
  [name in FilledName<Query<id>>]: Parsed<Query<id>[name]>
} & { [name in Exclude<keyof Query<id>, FilledName<Query<id>>>]?: Parsed<Query<id>[name]> }

export type AsOf = Output<typeof schemas.asOf>
export type Token = Output<typeof schemas.token>
export type Community = Output<typeof schemas.community>
export type Communities = ResponseOf<'communities'>
export type Addresses = ResponseOf<'addresses'>
export type LocalName = Output<typeof schemas.localName>
export type Member = Output<typeof schemas.member>
export type PastMember = Output<typeof schemas.pastMember>
export type PastLevels = Output<typeof schemas.pastLevels>
export type PastReferrals = Output<typeof schemas.pastReferrals>
export type PastReferrers = Output<typeof schemas.pastReferrers>
export type Compare = ResponseOf<'compare'>
export type Amounts = ResponseOf<'amounts'>
export type Ranks = ResponseOf<'ranks'>
export type Risers = ResponseOf<'risers'>
export type Activity = ResponseOf<'activity'>
export type MemberStatus = Output<typeof schemas.memberStatus>
export type MemberSummary = Output<typeof schemas.memberSummary>
export type Levels = Output<typeof schemas.levels>
export type Growth = ResponseOf<'growth'>
export type GrowthInterval = Output<typeof schemas.growthInterval>
export type BatchRequest = BodyOf<'batch'>
export type Batch = ResponseOf<'batch'>
export type Events = ResponseOf<'events'>
export type PairBinds = ResponseOf<'pairBinds'>
export type MemberEvents = ResponseOf<'memberEvents'>
export type Referrals = Output<typeof schemas.referrals>
export type Referrers = Output<typeof schemas.referrers>
export type Roots = ResponseOf<'roots'>
export type Relation = Output<typeof schemas.relation>
export type PastRelation = Output<typeof schemas.pastRelation>
export type TeamMap = ResponseOf<'map'>
export type Line = Output<typeof schemas.line>
export type PastLine = Output<typeof schemas.pastLine>
export type Search = ResponseOf<'search'>
export type Metrics = Output<typeof schemas.metrics>
export type PastMetrics = Output<typeof schemas.pastMetrics>
/** Metrics with `series=members`. */
export type MemberMetrics = Omit<Metrics, 'series'> & {
  series: Pick<Metrics['series'][number], 'day' | 'members'>[]
}
export type Progress = Output<typeof schemas.progress>
export type Status = ResponseOf<'status'>
export type Warning = Output<typeof schemas.warning>
export type Reason = Output<typeof schemas.reason>
export type SpotCheck = Output<typeof schemas.spotCheck>
export type Config = ResponseOf<'config'>
export type Label = ResponseOf<'saveLabel'>
export type Labels = ResponseOf<'labels'>
export type Alert = Output<typeof schemas.alert>
export type Alerts = ResponseOf<'alerts'>
export type AlertKind = Output<typeof schemas.alertKind>
export type AlertSettings = ResponseOf<'alertSettings'>
export type Delivery = Output<typeof schemas.delivery>
export type Watch = Output<typeof schemas.watch>
export type WatchRules = Output<typeof schemas.watchRules>
export type Webhook = Output<typeof schemas.webhook>
export type Problem = Output<typeof schemas.problem>
export type ProblemCode = Output<typeof schemas.problemCode>
