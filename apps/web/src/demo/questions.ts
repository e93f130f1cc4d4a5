import type { Address } from 'viem'
import type { DemoChainId } from './chains.ts'
import type { DecodedCall, DecodedMessage } from './decode.ts'

/** A question of the wallet to its owner. */
export type Question =
  | { kind: 'connect'; accounts: readonly Address[]; account: Address }
  | { kind: 'signMessage'; account: Address; message: DecodedMessage }
  | { kind: 'signTypedData'; account: Address; primaryType: string; domainName: string | undefined; text: string }
  | {
      kind: 'send'
      account: Address
      chainId: DemoChainId
      to: Address | undefined
      value: bigint
      data: `0x${string}`
      call: DecodedCall | undefined
      maxFee: bigint
      /** Reason that the transaction would fail, if any. */
      warning: string | undefined
    }
  | { kind: 'switchChain'; from: DemoChainId; to: DemoChainId }

/** `account` is set for the question `connect`. */
export type Answer = { kind: 'approved'; account?: Address } | { kind: 'rejected' }

export type Ask = (question: Question) => Promise<Answer>
