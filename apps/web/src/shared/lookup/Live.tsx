import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { followCommunity } from '../../lib/followCommunity.ts'

type Props = {
  /** Id of the community. */
  community: string
}

/** Follows the stream of a community while the page is visible, to keep the page up to date. Each page has one. */
export default function Live({ community }: Props) {
  const queryClient = useQueryClient()
  useEffect(() => {
    if (typeof EventSource === 'undefined') return undefined
    return followCommunity(queryClient, `/v1/communities/${encodeURIComponent(community)}/live`, community)
  }, [queryClient, community])
  return null
}
