import type { Address, Community } from '@lineage/referral-api'
import { styled } from '@mui/material/styles'
import { lazy, type ReactNode, Suspense, useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { LookupName } from '../../paths.ts'
import { AddressField, type SuggestionsProps } from '../address/AddressField.tsx'
import { shorten } from '../address/parseAddress.ts'
import { RecentAddresses } from '../address/RecentAddresses.tsx'
import { addRecent } from '../address/recent.ts'
import { useAddress } from '../address/useAddress.ts'
import { Later } from '../frame/Later.tsx'
import { Page } from '../frame/Page.tsx'
import { ShownContext } from './shown.ts'
import { WithCommunity } from './WithCommunity.tsx'

type Props = {
  name: LookupName
  skeleton: ReactNode
  /** What is shown without an address. */
  idle?: ReactNode
  /** Fetches what shows an answer, while the answer is on its way. */
  preload?: () => Promise<unknown>
  /** What is shown while an address is being typed. */
  suggestions?: (props: SuggestionsProps) => ReactNode
  children: (address: Address, community: Community) => ReactNode
}

const WatchedAddresses = lazy(() => import('../labels/WatchedAddresses.tsx'))

/** A lookup of one address: the question, the field, and the answer under it. */
export function Lookup({ name, skeleton, idle, preload, suggestions, children }: Props) {
  const { t } = useTranslation()
  const { text, address, setAddress } = useAddress()
  useEffect(() => {
    if (address) addRecent(address)
  }, [address])
  useEffect(() => {
    // A failure is met again, and said, where the answer is shown.
    if (address) preload?.().catch(() => undefined)
  }, [address, preload])
  const [shown, setShown] = useState<Address>()
  const title = t(`nav.${name}`)
  const named = address ? `${shorten(address)} · ${title}` : title
  return (
    <Page
      title={named}
      heading={address ? title : t(`ask.${name}`)}
      {...(!address && { hint: t(`ask.${name}.hint`), size: 'large' })}
    >
      <AddressField
        key={name}
        text={text}
        onAddress={setAddress}
        autoFocus={text === ''}
        {...(suggestions && { suggestions })}
        face={address ? 'plain' : 'large'}
      />
      <Said role="status">{address && shown === address && named}</Said>
      {address ? (
        <WithCommunity skeleton={skeleton}>
          {(community) => (
            <Result key={address}>
              <ShownContext value={setShown}>
                <Suspense fallback={skeleton}>{children(address, community)}</Suspense>
              </ShownContext>
            </Result>
          )}
        </WithCommunity>
      ) : (
        <>
          <RecentAddresses />
          <Later>
            <WatchedAddresses />
          </Later>
          {idle}
        </>
      )}
    </Page>
  )
}

/** For those who hear it: the answer comes while the focus is still in the field. */
const Said = styled('p')({
  position: 'absolute',
  width: 1,
  height: 1,
  margin: 0,
  overflow: 'hidden',
  clipPath: 'inset(50%)',
})
const Result = styled('div')({ paddingTop: 4 })
