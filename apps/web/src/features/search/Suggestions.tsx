import { Identicon } from '@lineage/wallet-kit'
import { styled } from '@mui/material/styles'
import { useDeferredValue } from 'react'
import { useTranslation } from 'react-i18next'
import { Link, useSearchParams } from 'react-router-dom'
import { fonts } from '../../lib/theme.ts'
import { useFormat } from '../../lib/useFormat.ts'
import { lookupPath } from '../../paths.ts'
import { Answer } from '../../shared/lookup/Answer.tsx'
import { Skeleton } from '../../shared/lookup/Skeleton.tsx'
import { useCommunity } from '../../shared/lookup/useCommunity.ts'
import { useSuggestions } from './query.ts'

/** Members found while an address is being typed. */
export function Suggestions({ prefix }: { prefix: string }) {
  const { t } = useTranslation()
  const format = useFormat()
  const [parameters] = useSearchParams()
  const community = useCommunity()
  const deferred = useDeferredValue(prefix)
  const query = useSuggestions(community.id, deferred)
  return (
    <Root aria-label={t('search.found')}>
      <Answer query={query} skeleton={<Skeleton rows={3} />}>
        {({ items }) => (
          <>
            <p role="status">
              {items.length === 0 ? t('search.none', { prefix: deferred }) : t('search.some', { count: items.length })}
            </p>
            <ul>
              {items.map((item) => (
                <li key={item.address}>
                  <Link to={lookupPath('search', parameters, { address: item.address })}>
                    <Identicon address={item.address} size={20} />
                    <code>
                      <b>{item.address.slice(0, deferred.length)}</b>
                      {item.address.slice(deferred.length)}
                    </code>
                    <span>{t('directs.team', { count: item.team, number: format.count(item.team) })}</span>
                  </Link>
                </li>
              ))}
            </ul>
          </>
        )}
      </Answer>
    </Root>
  )
}

const Root = styled('section')(({ theme }) => ({
  maxWidth: 760,
  '& p': { margin: '4px 0 8px', fontSize: '0.8125rem', color: theme.vars?.palette.text.secondary },
  '& ul': { margin: 0, padding: 0, listStyle: 'none' },
  '& a': {
    display: 'flex',
    alignItems: 'center',
    gap: 12,
    minHeight: 48,
    borderTop: `1px solid ${theme.vars?.palette.divider}`,
    color: 'inherit',
    textDecoration: 'none',
    fontSize: '0.875rem',
    '&:hover': { background: `color-mix(in srgb, ${theme.vars?.palette.text.primary} 4%, transparent)` },
  },
  '& code': { flex: 1, minWidth: 0, overflow: 'hidden', textOverflow: 'ellipsis', fontFamily: fonts.address },
  '& b': { fontWeight: 400, color: theme.vars?.palette.primary.main },
  '& span': { fontSize: '0.8125rem', color: theme.vars?.palette.text.secondary, whiteSpace: 'nowrap' },
}))
