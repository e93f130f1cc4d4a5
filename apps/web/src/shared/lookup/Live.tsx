import { fillPath, serviceRoutes, splitRoute } from '@lineage/referral-api/routes'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { useApi } from '../../lib/api.ts'
import { whenWorks } from '../../lib/takeOver.tsx'
import { useSignedIn } from '../frame/KitProvider.tsx'
import { loadTwice } from '../frame/lazyWithPreload.tsx'

type Props = {
  /** Id of the community. */
  community: string
}

/**
 * Follows the stream of a community while the page is visible, to keep the page up to date. Each page has one. It is opened again
 * after signing in or out, because it also tells the account's alerts.
 */
export default function Live({ community }: Props) {
  const queryClient = useQueryClient()
  const api = useApi()
  const account = useSignedIn()
  // biome-ignore lint/correctness/useExhaustiveDependencies: the account is part of the request, by its cookie.
  useEffect(() => {
    if (typeof EventSource === 'undefined') return undefined
    const path = fillPath(splitRoute(serviceRoutes.live).path, [community])
    const onBlock = (block: number) => api.noteBlock(community, block)
    const ended = new AbortController()
    const follow = async () => {
      const { followCommunity } = await loadTwice(() => import('../../lib/followCommunity.ts'))
      if (ended.signal.aborted) return
      const stop = followCommunity({ queryClient, url: `/v1${path}`, community, onBlock })
      ended.signal.addEventListener('abort', stop)
    }
    // Without it, the page is as it was: the block line says of which moment.
    const cancel = whenWorks(() => void follow().catch(() => undefined))
    return () => {
      cancel()
      ended.abort()
    }
  }, [queryClient, api, community, account])
  return null
}
