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
      <Announced address={address} text={named}>
        {address && (
          <Result>
            <WithCommunity skeleton={skeleton}>
              {(community) => (
                <Fragment key={`${community.id} ${address}`}>
                  <LazyBoundary>
                    <Live community={community.id} />
                  </LazyBoundary>
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
      </Announced>
      {!address && (
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

type AnnouncedProps = { address: Address | undefined; text: string; children: ReactNode }

/**
 * Announces to screen readers that the answer below is shown; the focus is still in the field. Only the announcement is rendered
 * again for that: the page takes over its answer in parts, and would otherwise have to do it all at once.
 */
function Announced({ address, text, children }: AnnouncedProps) {
  const [shown, setShown] = useState<Address>()
  return (
    <AnswerShownContext value={setShown}>
      <Announcement role="status">{address && shown === address && text}</Announcement>
      {children}
    </AnswerShownContext>
  )
}

const Announcement = styled('p')(visuallyHidden)
const Result = styled('div')({ paddingTop: 4, [phone]: { paddingTop: 0 } })
