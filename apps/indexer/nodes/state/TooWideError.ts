import { numberToHex } from 'viem'
import { NodeError } from '../rpc/NodeError.ts'

/** A range of logs that covers too many blocks, in the words of providers that Ponder knows. */
export class TooWideError extends NodeError {
  /** Largest allowed range in blocks; 0 if unknown. */
  readonly maxBlocks: number

  /** @param maxBlocks Ponder requests that many next; if `undefined`, half as many after the second error. */
  constructor(fromBlock: number, maxBlocks: number | undefined) {
    const message =
      maxBlocks === undefined
        ? 'block range too large'
        : `this block range should work: [${numberToHex(fromBlock)}, ${numberToHex(fromBlock + maxBlocks - 1)}]`
    super('missing', message, { rpcError: { code: -32005, message } })
    this.maxBlocks = maxBlocks ?? 0
  }
}
