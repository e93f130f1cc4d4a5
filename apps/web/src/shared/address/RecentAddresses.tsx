import { Identicon } from '@lineage/wallet-kit'
import { styled } from '@mui/material/styles'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link, useLocation, useSearchParams } from 'react-router-dom'
import { fonts } from '../../lib/theme.ts'
import { shorten } from './parseAddress.ts'
import { clearRecent, readRecent } from './recent.ts'

/** The last addresses looked up on this device. */
export function RecentAddresses() {
  const { t } = useTranslation()
  const [addresses, setAddresses] = useState(readRecent)
  const { pathname } = useLocation()
  const [parameters] = useSearchParams()
  if (addresses.length === 0) return null
  return (
    <Row aria-label={t('field.recent')}>
      <span>{t('field.recent')}</span>
      {addresses.map((address) => {
        const next = new URLSearchParams(parameters)
        next.set('address', address)
        return (
          <Link key={address} to={`${pathname}?${next}`} title={address}>
            <Identicon address={address} size={16} />
            {shorten(address)}
          </Link>
        )
      })}
      <button
        type="button"
        onClick={() => {
          clearRecent()
          setAddresses([])
        }}
      >
        {t('field.forget')}
      </button>
    </Row>
  )
}

const Row = styled('nav')(({ theme }) => ({
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
