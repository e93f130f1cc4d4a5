import type { AbiEvent, AbiFunction, Address } from 'viem'

/** Source of a member's amounts: one event of one contract. */
export type AmountSource = { address: Address; event: AbiEvent; member: string; amount: string }

/** Source of binds: one event of one contract. */
export type BindSource = { address: Address; event: AbiEvent; member: string; referrer: string }

/** Source of unbinds: the event that removes a member's referrer. */
export type UnbindSource = { address: Address; event: AbiEvent; member: string }

/** Source of rewards; `from` is the argument for the address that a reward came from, if the event names it. */
export type RewardSource = AmountSource & { from: string | undefined }

/** One referral contract and how to read it. */
export type Community = {
  id: string
  /** Name in every language, or by language. */
  name: string | Record<string, string>
  chainId: 56
  address: Address
  startBlock: number
  event: AbiEvent
  member: string
  referrer: string
  roots: Address[]
  rebind: 'first' | 'last'
  unbind: UnbindSource | undefined
  rewards: RewardSource | undefined
  volumes: AmountSource | undefined
  /** Further events, and those of earlier or later contracts. */
  more: { binds: BindSource[]; unbinds: UnbindSource[]; volumes: AmountSource[]; rewards: RewardSource[] }
  tokens: { volume: Token | undefined; reward: Token | undefined }
  parentView: { text: string; item: AbiFunction } | undefined
  explorer: string | undefined
}

export type Token = { symbol: string; decimals: number }
export type Config = { communities: Community[] }
