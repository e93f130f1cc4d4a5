import { styled } from '@mui/material/styles'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { fonts } from '../../lib/theme.ts'
import { AddressLink } from './AddressLink.tsx'
import { clearRecentAddresses, readRecentAddresses } from './recentAddresses.ts'

/** Links to the last addresses looked up on this device. */
export function RecentAddresses({ parameter = 'address' }: { parameter?: 'address' | 'to' }) {
  const { t } = useTranslation()
  const [addresses, setAddresses] = useState(readRecentAddresses)
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

/** Renders a row of address links. */
export const AddressRow = styled('nav')(({ theme }) => ({
  display: 'flex',
  flexWrap: 'wrap',
  alignItems: 'center',
  gap: '4px 20px',
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
