import type { Community, Member, ReferralApiError } from '@lineage/referral-api'
import { useEffect, useRef, useState } from 'react'
import { useApi } from '../../lib/api.ts'
import { useKit } from '../../lib/wallet.ts'
import { type Failure, toFailure } from '../../shared/lookup/failure.ts'
import type { Progress } from './checkLine.ts'

export type { Hop } from './readParents.ts'

export type CheckState = Progress & {
  /** `absent`: the contract has no view to ask. */
  state: 'absent' | 'idle' | 'reading' | 'stopped' | 'done'
  /** Why it has stopped by itself. */
  failure?: Failure
}
export type Check = CheckState & {
  /** Begins anew, or goes on where it was stopped. */
  run: () => void
  stop: () => void
}

const begin = (): CheckState => ({
  state: 'idle',
  checked: 0,
  hops: new Map(),
  differs: [],
  unreadable: [],
  answeredBy: 'nodes',
})

/** Asks the contract itself for each member's referrer up to the root, past our own index. */
export function useChainCheck(community: Community, member: Member): Check {
  const kit = useKit()
  const api = useApi()
  const [check, setCheck] = useState(begin)
  const running = useRef<AbortController>(undefined)
  useEffect(() => () => running.current?.abort(), [])

  async function run() {
    const { parentView } = community
    if (!kit || parentView === null) return
    running.current?.abort()
    const ended = new AbortController()
    running.current = ended
    const { signal } = ended
    const { failure: _, ...progress } = check.state === 'stopped' ? check : begin()
    // Brought forward in place: a line may have a hundred thousand hops.
    const show = (now: Pick<CheckState, 'state' | 'failure'>) => signal.aborted || setCheck({ ...progress, ...now })
    show({ state: 'reading' })
    try {
      const { checkLine } = await import('./checkLine.ts')
      const outcome = await checkLine({
        api,
        client: kit.getClient(),
        community: { ...community, parentView },
        member,
        progress,
        onProgress: () => show({ state: 'reading' }),
        signal,
      })
      show(outcome === 'done' ? { state: 'done' } : { state: 'stopped', failure: { kind: 'nodes' } })
    } catch (error) {
      show({ state: 'stopped', failure: toFailure(error as ReferralApiError) })
    }
  }
  return {
    ...check,
    state: community.parentView === null || !kit ? 'absent' : check.state,
    run: () => void run(),
    stop() {
      running.current?.abort()
      setCheck((now) => ({ ...now, state: 'stopped' }))
    },
  }
}
