import type { AbiEvent, Address } from 'viem'
import type { Nodes } from '../nodes/createNodes.ts'
import type { Way } from './findWays.ts'
import type { People } from './gatherPeople.ts'
import type { FoundEvent } from './matchEvents.ts'
import type { Code } from './readCode.ts'
import type { Sample, Start } from './sampleLogs.ts'

/** Part of a configuration that a finding is about. */
type Topic =
  | 'code'
  | 'startBlock'
  | 'logs'
  | 'binds'
  | 'order'
  | 'candidates'
  | 'parent'
  | 'changes'
  | 'roots'
  | 'tokens'
  | 'cost'

/** A finding about a contract, with the evidence for it. */
export type Finding = {
  about: Topic
  text: string
  evidence: string
  /** `guess`: the evidence allows other answers. */
  level: 'found' | 'guess' | 'missing'
}

/** A question that the contract does not answer, and what settles it. */
type Doubt = { question: string; settle: string }

/** Configuration of a community as the contract and its logs suggest it. */
export type Inspection = {
  /** Entry of a configuration; `null` if no way from a member to its referrer was found. */
  community: Entry | null
  findings: Finding[]
  doubts: Doubt[]
}

/** Fields of a community in a configuration. */
export type Entry = Record<string, unknown>

export type InspectOptions = {
  address: Address
  nodes: Nodes
  members?: readonly Address[]
  /** Events and ways to the referrer that the inspection cannot know by itself. */
  events?: readonly AbiEvent[]
  parent?: Way['config'] | undefined
  startBlock?: number | undefined
}

/** All that is known about a contract while it is inspected. */
export type Case = {
  options: InspectOptions
  nodes: Nodes
  address: Address
  head: number
  code: Code
  start: Start
  sample: Sample
  /** Events of the contract, then payments with it in tokens. */
  events: (FoundEvent & { where?: Record<string, string> })[]
  people: People
  findings: Finding[]
  doubts: Doubt[]
}
