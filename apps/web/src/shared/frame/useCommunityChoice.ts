import { nameIn } from '@lineage/referral-api'
import { useCallback } from 'react'
import { useLocation, useSearchParams } from 'react-router-dom'
import { useLazyTranslation } from '../../lib/i18n.ts'
import { kept } from '../../paths.ts'
import { useChosenCommunity, useCommunities } from '../lookup/useCommunity.ts'

/** Returns the choice of community, for a menu or a row of radio buttons. A change keeps the address. */
export function useCommunityChoice() {
  const { t, i18n } = useLazyTranslation('communities')
  const { state } = useLocation()
  const [, setParameters] = useSearchParams()
  const items = useCommunities().data?.items ?? []
  const onChange = useCallback(
    (id: string) =>
      setParameters(
        (current) => {
          const next = new URLSearchParams(current)
          next.set('community', id)
          if (next.get('view') === 'communities') next.delete('view')
          // The other parameters belong to an answer of the previous community.
          for (const key of [...next.keys()]) if (![...kept, 'view', 'to'].includes(key)) next.delete(key)
          return next
        },
        { state },
      ),
    [setParameters, state],
  )
  return {
    label: t('switch'),
    value: useChosenCommunity(items)?.id ?? '',
    options: items.map(({ id, name }) => [id, nameIn(name, i18n.language)] as const),
    onChange,
  }
}
