import type { Address, Community, MemberSummary } from '@lineage/referral-api'
import { useCallback, useRef, useState } from 'react'
import { useKit } from '../../lib/wallet.ts'
import type { Hop } from './readParents.ts'

export type { Hop } from './readParents.ts'

type State = {
  /** `absent`: the contract has no view to ask. */
  state: 'absent' | 'idle' | 'reading' | 'done'
  hops: ReadonlyMap<Address, Hop>
  /** Who answered: the chain's nodes, or this site's server in their place. */
  answeredBy: 'nodes' | 'server'
}
export type Check = State & { run: (rows: readonly MemberSummary[]) => void }

const nothing: State = { state: 'idle', hops: new Map(), answeredBy: 'nodes' }
/** So many are asked for at once: a few multicalls, and an answer to be seen soon. */
const portion = 200

/** Asks the contract itself for each member's referrer, past our own index. */
export function useChainCheck(community: Community): Check {
  const kit = useKit()
  const [check, setCheck] = useState(nothing)
  const latest = useRef<symbol>(undefined)
  const { parentView, contract } = community

  const run = useCallback(
    async (rows: readonly MemberSummary[]) => {
      if (!kit || parentView === null) return
      const run = Symbol('check')
      latest.current = run
      setCheck({ ...nothing, state: 'reading' })
      const { readParents, watchNodes } = await import('./readParents.ts')
      const client = kit.getClient()
      const answeredBy = watchNodes(client, new URL('/v1/rpc', window.location.origin).href)
      const links = rows.flatMap(({ address, referrer }) => (referrer ? [{ address, referrer }] : []))
      const hops = new Map<Address, Hop>()
      for (let at = 0; at < links.length; at += portion) {
        const part = links.slice(at, at + portion)
        for (const [address, hop] of await readParents({ client, contract, view: parentView, links: part }))
          hops.set(address, hop)
        if (latest.current !== run) return
        const state = at + portion < links.length ? 'reading' : 'done'
        setCheck({ state, hops: new Map(hops), answeredBy: answeredBy() })
      }
    },
    [kit, contract, parentView],
  )
  return {
    ...check,
    state: parentView === null || !kit ? 'absent' : check.state,
    run: (rows) => void run(rows).catch(() => setCheck(nothing)),
  }
}
