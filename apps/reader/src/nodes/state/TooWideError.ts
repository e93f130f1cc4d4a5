import { wideRangeMessage } from '../../ponderInternals.ts'
import { NodeError } from '../rpc/NodeError.ts'

/** Thrown for a range of logs with too many blocks. Ponder understands its message. */
export class TooWideError extends NodeError {
  /** Largest allowed range in blocks; 0 if unknown. */
  readonly maxBlocks: number

  /**
   * @param maxBlocks Number of blocks that Ponder requests next; if `undefined`, half as many after the second error.
   */
  constructor(fromBlock: number, maxBlocks: number | undefined) {
    const message = wideRangeMessage(fromBlock, maxBlocks)
    super('missing', message, { rpcError: { code: -32005, message } })
    this.maxBlocks = maxBlocks ?? 0
  }
}
