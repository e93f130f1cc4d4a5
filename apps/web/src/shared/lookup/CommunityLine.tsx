import { type Community, nameIn } from '@lineage/referral-api'
import { useFormat } from '../../lib/format.ts'
import { useTranslation } from '../../lib/i18n.ts'
import { useChosenCommunity, useCommunities } from './useCommunity.ts'

const chain = 'BNB Smart Chain'

/** Names the chain, the community and the number of its members, above a headline. */
export function CommunityLine() {
  const community = useChosenCommunity(useCommunities().data?.items)
  return (
    <p>
      <span>{chain}</span>
      {community && <Of community={community} />}
    </p>
  )
}

function Of({ community: { name, members, status } }: { community: Community }) {
  const { t, i18n } = useTranslation()
  const format = useFormat()
  const shown = nameIn(name, i18n.language)
  const texts = {
    ready: () => t('opening.summary', { name: shown, count: members, members: format.big(members) }),
    indexing: () => `${shown} · ${t('indexing.indexing')}`,
    withheld: () => shown,
  }
  return <span>{` · ${texts[status]()}`}</span>
}
