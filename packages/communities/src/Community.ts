import type { AmountKind } from '@lineage/referral-api/amounts'
import type { AbiEvent, AbiFunction, Address, Hex } from 'viem'

/** An event of one contract. `where`: only logs whose arguments have these values, as 32-byte words by name. */
export type EventSource = { address: Address; event: AbiEvent; where: Record<string, Hex> }

/** Source of amounts; `from` is the argument for the address that an amount came from, if the event names it. */
export type AmountSource = EventSource & { member: string; amount: string; from?: string | undefined }

/** Source of binds. */
export type BindSource = EventSource & { member: string; referrer: string }

/** Source of unbinds: the event that removes a member's referrer. */
export type UnbindSource = EventSource & { member: string }

/** Event whose arguments name addresses that may be members; the contract is asked for their referrers. */
export type CandidateSource = EventSource & { members: string[] }

/** One referral contract and how to read it. */
export type Community = {
  id: string
  /** Name in every language, or by language. */
  name: string | Record<string, string>
  chainId: 56
  address: Address
  startBlock: number
  /** Events that bind a member to a referrer, the main one first; empty if the contract is asked instead. */
  binds: BindSource[]
  /** Set if the contract is asked who a member's referrer is, and events only name the members. */
  asked: Asked | undefined
  roots: Address[]
  rebind: 'first' | 'last'
  unbinds: UnbindSource[]
  /** Events that state amounts, the main one of each kind first. */
  amounts: Record<AmountKind, AmountSource[]>
  tokens: Record<AmountKind, Token | undefined>
  /** Ways to read a member's referrer from the contract, in the order in which they are tried. */
  parents: Parent[]
  explorer: string | undefined
}

/** Direct calls of a contract, of one function or all, which name their sender and the addresses in their arguments. */
export type CallSource = {
  address: Address
  item: AbiFunction | undefined
  /** `sender`, or names of arguments. */
  members: string[]
  fromBlock: number
}

/** How members are found, and whether the contract may change the referrer of one who has a referrer. */
export type Asked = {
  candidates: CandidateSource[]
  /** Names of files of addresses. */
  files: string[]
  calls: CallSource[]
  changes: 'once' | 'any'
}

/** A way to read a member's referrer: a view of a contract, or a private mapping by its place in the storage. */
export type Parent = { address: Address } & (ParentView | { kind: 'slot'; slot: bigint; offset: bigint })

/** A view that leads to an address, or to the value that the next view is called with. */
export type ParentView = {
  kind: 'view'
  text: string
  item: AbiFunction
  /** Position of the input that takes the member, and the values of all other inputs. */
  input: number
  args: unknown[]
  /** Positions that lead to the value in the outputs: the output, then those in its tuple or list. */
  path: number[]
  next: ParentView | undefined
}

export type Token = { symbol: string; decimals: number }
export type Config = { communities: Community[] }
