import { nameIn } from '@lineage/referral-api'
import { styled } from '@mui/material/styles'
import { useTranslation } from 'react-i18next'
import { useFormat } from '../../lib/useFormat.ts'
import { LazyBoundary } from '../../shared/frame/LazyBoundary.tsx'
import { lazyWithPreload } from '../../shared/frame/lazyWithPreload.tsx'
import { useConfig } from '../../shared/frame/useConfig.ts'
import { toFailure } from '../../shared/lookup/failure.ts'
import { CommunityContext, useChosenCommunity, useCommunities } from '../../shared/lookup/useCommunity.ts'
import { useLastError } from '../../shared/lookup/useLastError.ts'
import { StartFigure } from './StartFigure.tsx'

const ExampleMembers = lazyWithPreload(() => import('./ExampleMembers.tsx'))
const IndexingView = lazyWithPreload(() => import('../../shared/lookup/IndexingView.tsx'))

/** Shows example members and the indexed community before an address is entered. */
export function StartView() {
  const { t, i18n } = useTranslation()
  const format = useFormat()
  const { data: config } = useConfig()
  const communities = useCommunities()
  const { data } = communities
  const error = useLastError(communities)
  const community = useChosenCommunity(data?.items)
  const failure = error && !data ? toFailure(error) : undefined
  return (
    <>
      <StartFigure />
      {failure?.kind === 'indexing' && (
        <LazyBoundary>
          <IndexingView progress={failure.progress} />
        </LazyBoundary>
      )}
      {community && (
        <CommunityContext value={community}>
          {config?.demo && (
            <Examples>
              <LazyBoundary>
                <ExampleMembers community={community} />
              </LazyBoundary>
            </Examples>
          )}
          <Summary>
            {t('opening.summary', {
              name: nameIn(community.name, i18n.language),
              count: community.members,
              members: format.big(community.members),
            })}
            {data && <> · {t('asOf', { block: format.count(data.asOf.block) })}</>}
          </Summary>
        </CommunityContext>
      )}
    </>
  )
}

/** Reserves the height of the members, which load later. */
const Examples = styled('div')({ marginTop: 40, minHeight: 216 })

const Summary = styled('p')(({ theme }) => ({
  margin: '56px 0 0',
  fontSize: '0.8125rem',
  color: theme.vars?.palette.text.secondary,
}))
