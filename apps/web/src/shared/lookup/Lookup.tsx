import { type Address, type Community, nameIn } from '@lineage/referral-api'
import { styled } from '@mui/material/styles'
import { type ComponentType, Fragment, type ReactNode, useCallback, useEffect, useRef } from 'react'
import { useSearchParams } from 'react-router-dom'
import { useFormat } from '../../lib/format.ts'
import { useTranslation } from '../../lib/i18n.ts'
import { phone } from '../../lib/theme.ts'
import type { LookupName } from '../../paths.ts'
import { AddressField } from '../address/AddressField.tsx'
import { shorten } from '../address/parseAddress.ts'
import { addRecentAddress, RecentAddresses } from '../address/RecentAddresses.tsx'
import { type SuggestionsProps, useAddress } from '../address/useAddress.ts'
import { announce } from '../frame/Announcer.tsx'
import { lazyPart } from '../frame/ErrorBoundary.tsx'
import { lazyWithPreload } from '../frame/lazyWithPreload.tsx'
import { Page } from '../frame/Page.tsx'
import { NowOnly } from '../past/NowOnly.tsx'
import type { PastPartProps } from '../past/queries.ts'
import { AnswerBoundary, AnswerShownContext } from './AnswerBoundary.tsx'
import { Examples } from './Examples.tsx'
import { FailureView } from './FailureView.tsx'
import { useChosenCommunity, useCommunities } from './useCommunity.ts'
import { WithCommunity } from './WithCommunity.tsx'

type Props = {
  name: LookupName
  skeleton: ReactNode
  /** Shown without an address; example members by default. */
  idle?: ReactNode
  /** Loads the view's code while its data loads. */
  preload?: () => Promise<unknown>
  /** Shown while an address is typed. */
  suggestions?: (props: SuggestionsProps) => ReactNode
  /** Shows the address at a past moment; by default its card. */
  past?: ComponentType<PastPartProps>
  children: (address: Address, community: Community) => ReactNode
}

const PastView = lazyWithPreload(() => import('../past/PastAnswer.tsx'))
const PastCard = lazyWithPreload(() => import('../past/PastCard.tsx'))
const Live = lazyPart(() => import('./Live.tsx'))
const WatchedAddresses = lazyPart(() => import('../labels/WatchedAddresses.tsx'))

/** Renders a lookup page for one address: heading, address field and result. */
export function Lookup({ name, skeleton, idle, preload, suggestions, past = PastCard, children }: Props) {
  const { t } = useTranslation()
  const { text, address, setAddress } = useAddress()
  const asOf = useSearchParams()[0].get('asOf')
  useEffect(() => {
    if (address) addRecentAddress(address)
  }, [address])
  useEffect(() => {
    // A failure is shown where the view renders.
    if (address) preload?.().catch(() => undefined)
  }, [address, preload])
  const title = t(`nav.${name}`)
  const named = address ? `${shorten(address)} · ${title}` : title
  return (
    <Page
      title={named}
      heading={address ? title : t(`ask.${name}`)}
      {...(address ? { size: 'hidden' } : { hint: t(`ask.${name}.hint`), size: 'large', eyebrow: <CommunityLine /> })}
    >
      <AddressField
        key={name}
        text={text}
        onAddress={setAddress}
        autoFocus={text === ''}
        {...(suggestions && { suggestions })}
        face={address ? 'plain' : 'large'}
      />
      <AnswerShownContext value={useAnnouncedAnswer(title)}>
        {address && (
          <Result>
            <WithCommunity skeleton={skeleton}>
              {(community) => (
                <Fragment key={`${community.id} ${address}`}>
                  <Live community={community.id} />
                  <AnswerBoundary key={asOf ? 'past' : 'now'} skeleton={skeleton}>
                    {asOf ? (
                      <PastView Part={past} address={address} community={community} asOf={asOf} />
                    ) : (
                      children(address, community)
                    )}
                  </AnswerBoundary>
                </Fragment>
              )}
            </WithCommunity>
          </Result>
        )}
      </AnswerShownContext>
      {!address && (
        <>
          <NowOnly />
          <NoCommunity />
          <RecentAddresses />
          <WatchedAddresses />
          {idle ?? <Examples name={name} />}
        </>
      )}
    </Page>
  )
}

/** Returns a function that announces an address and the main figure of its answer, once; the focus is still in the field, or on the page's heading. */
function useAnnouncedAnswer(title: string): (address: Address, summary: string) => void {
  const announced = useRef<Address>(undefined)
  return useCallback(
    (address, summary) => {
      if (announced.current === address) return
      announced.current = address
      const isHeadingRead = document.activeElement?.matches('h1')
      announce([shorten(address), !isHeadingRead && title, summary].filter(Boolean).join(' · '))
    },
    [title],
  )
}

const Result = styled('div')({ paddingTop: 4, [phone]: { paddingTop: 0 } })

/** Says that the community of the link does not exist. */
function NoCommunity() {
  const query = useCommunities()
  const community = useChosenCommunity(query.data?.items)
  if (!query.data || community) return null
  return <FailureView failure={{ kind: 'noCommunity' }} onRetry={() => void query.refetch()} isRetrying={false} />
}

const chain = 'BNB Smart Chain'

/** Names the chain, the community and the number of its members, above a headline. */
function CommunityLine() {
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
  const texts: Partial<Record<string, () => string>> = {
    ready: () => t('opening.summary', { name: shown, count: members, members: format.big(members) }),
    indexing: () => `${shown} · ${t('indexing.indexing')}`,
  }
  return <span>{` · ${texts[status]?.() ?? shown}`}</span>
}
