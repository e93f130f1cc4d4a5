import type { Address, Community } from '@lineage/referral-api'
import { styled } from '@mui/material/styles'
import { type ComponentType, Fragment, type ReactNode, useEffect, useState } from 'react'
import { useSearchParams } from 'react-router-dom'
import { useTranslation } from '../../lib/i18n.ts'
import { phone, visuallyHidden } from '../../lib/theme.ts'
import type { LookupName } from '../../paths.ts'
import { AddressField } from '../address/AddressField.tsx'
import { shorten } from '../address/parseAddress.ts'
import { addRecentAddress, RecentAddresses } from '../address/RecentAddresses.tsx'
import { useAddress } from '../address/useAddress.ts'
import type { SuggestionsProps } from '../address/useSuggestionList.ts'
import { LazyBoundary } from '../frame/ErrorBoundary.tsx'
import { lazyWithPreload } from '../frame/lazyWithPreload.tsx'
import { Page } from '../frame/Page.tsx'
import { NowOnly } from '../past/NowOnly.tsx'
import type { PastPartProps } from '../past/queries.ts'
import { AnswerBoundary, AnswerShownContext } from './AnswerBoundary.tsx'
import { CommunityLine } from './CommunityLine.tsx'
import { Examples } from './Examples.tsx'
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

const PastView = lazyWithPreload(() => import('../past/PastView.tsx'))
const PastCard = lazyWithPreload(() => import('../past/PastCard.tsx'))
const Live = lazyWithPreload(() => import('./Live.tsx'))
const WatchedAddresses = lazyWithPreload(() => import('../labels/WatchedAddresses.tsx'))

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
  const [shown, setShown] = useState<Address>()
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
      <Announcement role="status">{address && shown === address && named}</Announcement>
      {address ? (
        <Result>
          <WithCommunity skeleton={skeleton}>
            {(community) => (
              <Fragment key={`${community.id} ${address}`}>
                <LazyBoundary>
                  <Live community={community.id} />
                </LazyBoundary>
                <AnswerShownContext value={setShown}>
                  <AnswerBoundary key={asOf ? 'past' : 'now'} skeleton={skeleton}>
                    {asOf ? (
                      <PastView Part={past} address={address} community={community} asOf={asOf} />
                    ) : (
                      children(address, community)
                    )}
                  </AnswerBoundary>
                </AnswerShownContext>
              </Fragment>
            )}
          </WithCommunity>
        </Result>
      ) : (
        <>
          <NowOnly />
          <RecentAddresses />
          <LazyBoundary>
            <WatchedAddresses />
          </LazyBoundary>
          {idle ?? <Examples name={name} />}
        </>
      )}
    </Page>
  )
}

/** Announces to screen readers that the answer is shown; the focus is still in the field. */
const Announcement = styled('p')(visuallyHidden)
const Result = styled('div')({ paddingTop: 4, [phone]: { paddingTop: 0 } })
