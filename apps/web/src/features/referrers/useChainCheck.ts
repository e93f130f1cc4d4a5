import type { Address, Community } from '@lineage/referral-api'
import { useCallback, useRef, useState } from 'react'
import { useKit } from '../../lib/wallet.ts'
import type { Hop } from './readParents.ts'

export type { Hop } from './readParents.ts'

export type Check = {
  /** `absent`: the contract has no view to ask. */
  state: 'absent' | 'idle' | 'reading' | 'done'
  hops: ReadonlyMap<Address, Hop>
  run: (line: readonly Address[]) => void
}

/** Asks the contract itself for each member's referrer, past our own index. */
export function useChainCheck(community: Community): Check {
  const kit = useKit()
  const [hops, setHops] = useState<ReadonlyMap<Address, Hop>>(new Map())
  const [state, setState] = useState<'idle' | 'reading' | 'done'>('idle')
  const latest = useRef<symbol>(undefined)
  const { parentView, contract } = community

  const run = useCallback(
    async (line: readonly Address[]) => {
      if (!kit || parentView === null) return
      const run = Symbol('check')
      latest.current = run
      setState('reading')
      const { readParents } = await import('./readParents.ts')
      const read = await readParents({ client: kit.getClient(), contract, view: parentView, line })
      if (latest.current !== run) return
      setHops(read)
      setState('done')
    },
    [kit, contract, parentView],
  )
  return {
    state: parentView === null || !kit ? 'absent' : state,
    hops,
    run: (line) => void run(line).catch(() => setState('idle')),
  }
}
