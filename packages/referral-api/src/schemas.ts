/**
 * The HTTP contract of the lookups, base path `/v1`: one schema an answer.
 *
 * Addresses are answered with their EIP-55 checksum. Amounts are decimal strings of the token's smallest unit.
 * Times are Unix seconds. Days are UTC, written `YYYY-MM-DD`.
 */
import * as z from 'zod'
import { cleanLabelText, countCharacters, labelLimit, labelTextLimit } from './labelText.ts'
import { batchLimit, problems } from './problems.ts'

/** An address in its EIP-55 form. */
export const address = z.string().regex(/^0x[0-9a-fA-F]{40}$/)
export const hash = z.string().regex(/^0x[0-9a-f]{64}$/)
/** An amount of the token's smallest unit. */
export const amount = z.string().regex(/^\d+$/)
const count = z.int().nonnegative()
const timestamp = z.int().nonnegative()

/** The block an answer was computed at. */
export const asOf = z.object({ block: count, timestamp, finalizedBlock: count })

export const token = z.object({ symbol: z.string(), decimals: z.int().min(0).max(36) })

export const community = z.object({
  id: z.string(),
  name: z.string(),
  contract: address,
  chainId: z.int(),
  startBlock: count,
  members: count,
  status: z.enum(['indexing', 'ready']),
  tokens: z.object({ volume: token.nullable(), reward: token.nullable() }),
  /** ABI text of the view that answers a member's referrer, for checking on chain. */
  parentView: z.string().nullable(),
  /** Base URL of a block explorer, without a trailing slash. */
  explorer: z.string().nullable(),
})

export const communities = z.object({ asOf, items: z.array(community) })

/** `member`: its own bind is on chain. `placeholder`: named as a referrer, never bound itself. */
export const memberStatus = z.enum(['member', 'placeholder'])

export const member = z.object({
  asOf,
  address,
  status: memberStatus,
  /** `null` for a root. */
  referrer: address.nullable(),
  root: address,
  /** 0 for a root. */
  depth: count,
  /** Of the member's own bind; all three `null` for a placeholder. */
  joinedAt: timestamp.nullable(),
  block: count.nullable(),
  /** `null` also where the database does not tell it in time: ask again later. */
  tx: hash.nullable(),
  directs: count,
  /** The whole downline, without the member itself. */
  team: count,
  /** How many levels the downline has; 0 without one. */
  maxLevel: count,
  ownVolume: amount,
  /** Of the downline, without the member itself. */
  teamVolume: amount,
  /** Own and team volume of the direct referral whose sum is the greatest. */
  largestLeg: amount,
  /** `teamVolume − largestLeg`. */
  otherLegs: amount,
  rewards: amount,
})

export const levels = z.object({
  asOf,
  /** Level 1 are the direct referrals. */
  items: z.array(z.object({ level: z.int().positive(), count, volume: amount })),
})

/** A member as a row of a list. */
export const memberSummary = member.omit({
  asOf: true,
  root: true,
  block: true,
  tx: true,
  maxLevel: true,
  largestLeg: true,
  otherLegs: true,
  rewards: true,
})

export const referrals = z.object({
  asOf,
  /** `level` counts from the member asked about; its direct referrals are level 1. */
  items: z.array(memberSummary.extend({ level: z.int().positive() })),
  nextCursor: z.string().nullable(),
})

export const referrers = z.object({
  asOf,
  /** From the member's referrer up to the root. */
  items: z.array(memberSummary),
  nextCursor: z.string().nullable(),
})

export const growthInterval = z.enum(['day', 'week', 'month'])

export const growth = z.object({
  asOf,
  interval: growthInterval,
  /** From the first join of today's downline to `asOf`, quiet periods included. */
  items: z.array(
    z.object({
      /** The first day of the period; weeks begin on Mondays. */
      from: z.iso.date(),
      /** Of today's downline, how many joined in the period. */
      members: count,
      /** … and how many up to its end. */
      total: count,
    }),
  ),
})

export const batchRequest = z.object({
  addresses: z.array(z.string()).max(batchLimit),
  /** Cards with their transactions, which are read from the database and not from memory: several times slower. */
  tx: z.boolean().optional(),
})

export const batch = z.object({
  asOf,
  /** In the order of the request, one for each of its addresses. */
  items: z.array(
    z.object({
      /** As it was asked for. */
      input: z.string(),
      /** As the member's own answer, `tx` only where it was asked for; `null` where `error` says why. */
      card: member.omit({ asOf: true }).partial({ tx: true }).nullable(),
      error: z.object({ code: z.enum(['invalid_address', 'member_not_found']), detail: z.string() }).nullable(),
    }),
  ),
})

export const events = z.object({
  asOf,
  /** The newest first. */
  items: z.array(
    z.object({
      /** Whom the event binds … */
      address,
      /** … and under whom, as the event says: it may be a sentinel. */
      referrer: address,
      /** `bound`: it counts. The others changed nothing: under itself, bound before, under its own downline. */
      status: z.enum(['bound', 'self', 'duplicate', 'cycle']),
      block: count,
      logIndex: count,
      timestamp,
      tx: hash,
    }),
  ),
  nextCursor: z.string().nullable(),
})

export const search = z.object({ asOf, items: z.array(memberSummary) })

const period = z.object({ members: count, volume: amount, rewards: amount })
const leader = z.object({ address, directs: count, team: count, teamVolume: amount })

export const metrics = z.object({
  asOf,
  members: count,
  /** Members and placeholders with at least one direct referral. */
  referrers: count,
  /** Members without a referrer, and placeholders. */
  roots: count,
  maxDepth: count,
  /** Edges ÷ `referrers`; `null` without one. */
  averageDirects: z.number().nonnegative().nullable(),
  volume: amount,
  rewards: amount,
  /** What came in within a period that ends at `asOf.timestamp`. */
  last24h: period,
  last7d: period,
  last30d: period,
  /** Events that made no edge (`self`, `duplicate`, `cycle`), and referrers not yet bound themselves. */
  dirty: z.object({ self: count, duplicate: count, cycle: count, placeholder: count }),
  /** One row a day, from the first bind to the day of `asOf`, quiet days included. */
  series: z.array(
    z.object({ day: z.iso.date(), members: count, totalMembers: count, volume: amount, rewards: amount }),
  ),
  /** Members and placeholders by depth; depth 0 are the roots. */
  depths: z.array(z.object({ depth: count, count })),
  /** How many have between `from` and `to` direct referrals; `to` is `null` in the last, open row. */
  directsHistogram: z.array(z.object({ from: count, to: count.nullable(), count })),
  /** The first ten of each. */
  leaders: z.object({ team: z.array(leader), directs: z.array(leader), volume: z.array(leader) }),
})

/** How far the way from the chain to the answers has come. `total` may grow. */
export const progress = z.object({
  /** `chain`: the demo chain is being made. `indexing`: events are being read. `loading`: tables are being read into memory. */
  phase: z.enum(['starting', 'chain', 'indexing', 'loading']),
  done: count,
  total: count,
})

/** Something a person should see to. */
export const warning = z.object({
  /**
   * Of a node: it does not answer, is of another chain, has `eth_getLogs` off, does not keep the first block, has stood
   * still, refuses many requests as too many. Of a community: the contract's own answers differ from the events, or say the opposite of the configuration;
   * its events do not have the form that the configuration says, or there are none.
   */
  kind: z.enum([
    'node_silent',
    'node_other_chain',
    'node_without_logs',
    'node_without_history',
    'node_behind',
    'node_limiting',
    'referrers_differ',
    'arguments_swapped',
    'events_unreadable',
    'events_absent',
  ]),
  /** The node's host. */
  node: z.string().nullable(),
  /** The community's id. */
  community: z.string().nullable(),
  /** In English, with what to do. */
  message: z.string(),
})

/** Members whose referrer was read from the contract now and then, since the indexer was started. */
export const spotCheck = z.object({
  community: z.string(),
  checked: count,
  /** The contract names another referrer than the events do. */
  differing: count,
  /** The contract or the nodes gave no answer. */
  unreadable: count,
  /** The last one that differs, until it is asked again. */
  example: z.object({ address, referrer: address.nullable(), onChain: address }).nullable(),
})

export const status = z.object({
  state: z.enum(['starting', 'indexing', 'ready']),
  progress: progress.nullable(),
  asOf: asOf.nullable(),
  /** The newest block the node has told of. */
  headBlock: count.nullable(),
  /** What a person should know while waiting, in English; `null` when there is nothing to say. */
  note: z.string().nullable(),
  warnings: z.array(warning),
  spotChecks: z.array(spotCheck),
})

/** `null` for a guest. */
export const session = z
  .object({
    address,
    chainId: z.int(),
    /** Unix milliseconds. */
    expiresAt: count,
  })
  .nullable()

export const nonce = z.object({ nonce: z.string() })

/** A message of EIP-4361 and its signature. */
export const signedMessage = z.object({ message: z.string(), signature: z.string() })

/** JSON-RPC 2.0: a call, or some of them. */
const rpcCall = z.object({
  jsonrpc: z.literal('2.0'),
  id: z.union([z.string(), z.number()]).optional(),
  method: z.string(),
  params: z.union([z.array(z.unknown()), z.record(z.string(), z.unknown())]).optional(),
})
const rpcReply = z.object({
  jsonrpc: z.literal('2.0'),
  id: z.union([z.string(), z.number(), z.null()]),
  result: z.unknown().optional(),
  error: z.object({ code: z.int(), message: z.string() }).optional(),
})
export const rpcRequest = z.union([rpcCall, z.array(rpcCall)])
export const rpcAnswer = z.union([rpcReply, z.array(rpcReply)])

/** That the process is there, and no more. */
export const health = z.object({ status: z.literal('ok') })

/** That lookups are answered. */
export const ready = z.object({ status: z.literal('ready') })

/** What an account is called, as the operator's name service says. */
export const accountName = z.object({
  /** `null` for an account without a name. */
  data: z.string().min(1).max(255).nullable(),
  /** A picture of its own, no address of one. */
  avatar: z
    .string()
    .regex(/^data:image\//)
    .optional(),
})

/** What the browser needs to know before anything else. */
export const config = z.object({
  chainId: z.int(),
  /** JSON-RPC endpoints the browser may read from; relative ones are of this origin. */
  rpcUrls: z.array(z.string()).min(1),
  relayProjectId: z.string().nullable(),
  /** The relay wallets are met at; `null` is WalletConnect's. */
  relayUrl: z.string().nullable(),
  /** Where names of accounts come from: `/v1/resolve-ens` of this origin, and .bnb read on chain. */
  names: z.object({ service: z.boolean(), bnb: z.boolean() }),
  /** Only in the demo: the demo wallet's key and the contract it may bind at. */
  demo: z.object({ privateKeys: z.array(hash).min(1), contract: address.nullable() }).nullable(),
})

const labelText = z
  .string()
  .max(1_000)
  .transform(cleanLabelText)
  .refine((text) => countCharacters(text) <= labelTextLimit, `a label has at most ${labelTextLimit} characters`)

/** What is said of an address: a text, or that it is on the watch list, or both. */
export const labelContent = z
  .object({ text: labelText, watched: z.boolean() })
  .refine(({ text, watched }) => text !== '' || watched, 'a label without a text is for the watch list')

/** A private note on an address, of one account or of one browser. */
export const label = z.object({
  address,
  text: labelText,
  watched: z.boolean(),
  /** When it was last changed. */
  updatedAt: timestamp,
})

/** All labels of an account, the last changed first. */
export const labels = z.object({ items: z.array(label).max(labelLimit) })

/** Of an answer without a body. */
export const nothing = z.undefined()

const codes = Object.keys(problems) as [keyof typeof problems, ...(keyof typeof problems)[]]
export const problemCode = z.enum(codes)

/** RFC 9457, `application/problem+json`. */
export const problem = z.object({
  type: z.string(),
  title: z.string(),
  status: z.int(),
  detail: z.string(),
  code: problemCode,
  /** With `invalid_parameter`: which one. */
  parameter: z.string().optional(),
  /** With `indexing`. */
  progress: progress.optional(),
})
