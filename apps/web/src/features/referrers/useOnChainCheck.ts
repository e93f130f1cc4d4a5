import type { Community, ReferralApiError } from '@lineage/referral-api'
import { useEffect, useRef, useState } from 'react'
import { useLoadKit } from '../../shared/frame/KitProvider.tsx'
import { type Failure, toFailure } from '../../shared/lookup/failure.ts'
import type { Progress } from './checkHops.ts'
import type { ReadLinks } from './readLinks.ts'

export type { Hop } from './readLinks.ts'

export type CheckState = Progress & {
  /** `absent`: the contract has no view function for referrers. */
  state: 'absent' | 'idle' | 'reading' | 'stopped' | 'done'
  /** Reason that the check failed. */
  failure?: Failure
}
export type Check = CheckState & {
  /** Starts the check, or resumes a stopped one. */
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

/** Checks each hop of a line against the contract, without our index. */
export function useOnChainCheck(community: Community, readLinks: ReadLinks): Check {
  const loadKit = useLoadKit()
  const [check, setCheck] = useState(begin)
  const running = useRef<AbortController>(undefined)
  useEffect(() => () => running.current?.abort(), [])

  async function run() {
    const { parent } = community
    if (parent === null) return
    running.current?.abort()
    const ended = new AbortController()
    running.current = ended
    const { signal } = ended
    const { failure: _, ...progress } = check.state === 'stopped' ? check : begin()
    // Updated in place: an upline may have a hundred thousand hops.
    const show = (now: Pick<CheckState, 'state' | 'failure'>) => signal.aborted || setCheck({ ...progress, ...now })
    show({ state: 'reading' })
    try {
      const [kit, { checkHops }] = await Promise.all([loadKit(), import('./checkHops.ts')])
      const outcome = await checkHops({
        client: kit.getClient(),
        parent,
        readLinks,
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
    state: community.parent === null ? 'absent' : check.state,
    run: () => void run(),
    stop() {
      running.current?.abort()
      setCheck((now) => ({ ...now, state: 'stopped' }))
    },
  }
}
