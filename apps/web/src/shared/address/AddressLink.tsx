import type { Address } from '@lineage/referral-api'
import { Identicon } from '@lineage/wallet-kit'
import { useLocation, useSearchParams } from 'react-router-dom'
import { withChanges } from '../../paths.ts'
import { Link } from '../frame/Link.tsx'
import { useLabel } from '../labels/labelsStore.ts'
import { shorten } from './parseAddress.ts'

type Props = {
  address: Address
  /** `to`: the second address of the page of two. */
  parameter?: 'address' | 'to'
}

/** Links to the current page with another address. */
export function AddressLink({ address, parameter = 'address' }: Props) {
  const label = useLabel(address)
  const { pathname } = useLocation()
  const [parameters] = useSearchParams()
  return (
    <Link to={`${pathname}?${withChanges(parameters, { [parameter]: address })}`} title={address}>
      <Identicon address={address} size={16} />
      {label?.text ? <bdi>{label.text}</bdi> : <span translate="no">{shorten(address)}</span>}
    </Link>
  )
}
