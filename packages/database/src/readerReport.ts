import { knownItems, progress, spotCheck, warning } from '@lineage/referral-api/schemas'
import * as z from 'zod'

/** Schema of a reader's report: its progress, and faults of nodes and contracts, which every server shows. */
export const readerReport = z.object({
  /** Newest block that the nodes have reported. */
  headBlock: z.int().nullable(),
  nodes: z.enum(['usable', 'unusable']),
  /** Whether the chain of the nodes was compared with the blocks on which the index was built. */
  chain: z.enum(['unchecked', 'checked']),
  /** Reason why nothing may be served: the nodes serve another chain. Servers read it from `source`. */
  replaced: z.string().nullable(),
  /** Whether the first members were compared with the contract. */
  members: z.enum(['unchecked', 'checked']),
  /** Communities that must not be served, each with the reason. Servers read it from `source`. */
  withheld: z.array(z.object({ community: z.string(), message: z.string() })),
  /**
   * First check of each source that this reader writes. It is stored in `source` too, because a reader that starts has
   * found nothing yet. `unconfirmed`: it has ended, but no member could be confirmed.
   */
  checks: z.array(
    z.object({
      source: z.int(),
      community: z.string(),
      state: z.enum(['running', 'unconfirmed', 'passed', 'withheld']),
    }),
  ),
  warnings: knownItems(warning),
  spotChecks: z.array(spotCheck),
  /** Progress of the sources that are not live. */
  progress: progress.nullable(),
  /** Text for people about a wait; `null` if there is none. */
  note: z.string().nullable(),
})

export type ReaderReport = z.output<typeof readerReport>
