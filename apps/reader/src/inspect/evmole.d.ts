/** The exports of evmole do not name its types. */
declare module 'evmole' {
  export function contractInfo(
    code: string,
    wanted: Partial<Record<'selectors' | 'arguments' | 'stateMutability' | 'storage' | 'controlFlowGraph', boolean>>,
  ): {
    functions?: { selector: string; bytecodeOffset: number; arguments?: string; stateMutability?: string }[]
    storage?: { slot: string; offset: number; type: string; reads: string[]; writes: string[] }[]
    controlFlowGraph?: { blocks: Map<string, unknown>[] }
  }
}
