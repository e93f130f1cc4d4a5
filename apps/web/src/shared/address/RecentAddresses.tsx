import type { Address } from '@lineage/referral-api'
import { styled } from '@mui/material/styles'
import { useEffect, useState } from 'react'
import { isAddress } from 'viem/utils'
import { useTranslation } from '../../lib/i18n.ts'
import { readStored, writeStored } from '../../lib/storage.ts'
import { fonts, phone } from '../../lib/theme.ts'
import { AddressLink } from './AddressLink.tsx'

/** Links to the last addresses looked up on this device. */
export function RecentAddresses({ parameter = 'address' }: { parameter?: 'address' | 'to' }) {
  const { t } = useTranslation()
  const [addresses, setAddresses] = useState<Address[]>()
  // A server does not know them.
  useEffect(() => setAddresses(readRecentAddresses()), [])
  if (!addresses) return <ReservedRow data-of="recent" />
  if (addresses.length === 0) return null
  return (
    <AddressRow aria-label={t('field.recent')}>
      <span>{t('field.recent')}</span>
      {addresses.map((address) => (
        <AddressLink key={address} address={address} parameter={parameter} />
      ))}
      <button
        type="button"
        onClick={() => {
          clearRecentAddresses()
          setAddresses([])
        }}
      >
        {t('field.forget')}
      </button>
    </AddressRow>
  )
}

/** Renders address links. On phones they are in one line that scrolls, so that its height is known before them. */
export const AddressRow = styled('nav')(({ theme }) => ({
  display: 'flex',
  flexWrap: 'wrap',
  alignItems: 'center',
  gap: '4px 20px',
  [phone]: {
    flexWrap: 'nowrap',
    overflowX: 'auto',
    scrollbarWidth: 'none',
    paddingInlineEnd: 32,
    scrollPaddingInlineEnd: 32,
    maskImage: 'linear-gradient(to right, #000 calc(100% - 32px), transparent)',
    '& > *': { flex: 'none' },
    '& :focus-visible': { outlineOffset: -2 },
  },
  fontSize: '0.8125rem',
  color: theme.vars?.palette.text.secondary,
  '& a': {
    display: 'inline-flex',
    alignItems: 'center',
    gap: 6,
    minHeight: 36,
    color: theme.vars?.palette.text.primary,
    fontFamily: fonts.address,
    textDecoration: 'none',
    '& bdi': { maxWidth: '10em', overflow: 'hidden', textOverflow: 'ellipsis', fontFamily: fonts.text },
    '&:hover': { textDecoration: 'underline', textUnderlineOffset: 4 },
  },
  '& button': {
    minHeight: 36,
    border: 0,
    padding: 0,
    background: 'none',
    color: 'inherit',
    font: 'inherit',
    cursor: 'pointer',
    '&:hover': { textDecoration: 'underline', textUnderlineOffset: 4 },
  },
}))

/** Keeps the place of a row of this browser's own addresses, which a server does not know. index.html says which rows there are. */
export const ReservedRow = styled('div')<{ 'data-of': 'recent' | 'watched' }>({
  display: 'none',
  height: 36,
  'html[data-recent] &[data-of="recent"], html[data-watched] &[data-of="watched"]': { display: 'block' },
})

const key = 'lineage-recent-addresses'
const kept = 6

/** Returns the last addresses looked up on this device, newest first. */
export function readRecentAddresses(): Address[] {
  try {
    const stored: unknown = JSON.parse(readStored(key) ?? '[]')
    if (!Array.isArray(stored)) return []
    return stored.filter((item): item is Address => typeof item === 'string' && isAddress(item)).slice(0, kept)
  } catch {
    return []
  }
}

export const addRecentAddress = (address: Address): void =>
  writeStored(
    key,
    JSON.stringify([address, ...readRecentAddresses().filter((other) => other !== address)].slice(0, kept)),
  )

const clearRecentAddresses = (): void => writeStored(key, undefined)
