import { Identicon } from '@lineage/wallet-kit'
import { styled } from '@mui/material/styles'
import { useDeferredValue, useEffect, useRef } from 'react'
import { useSearchParams } from 'react-router-dom'
import { useFormat } from '../../lib/format.ts'
import { useLazyTranslation, useTranslation } from '../../lib/i18n.ts'
import { fonts } from '../../lib/theme.ts'
import { lookupPath } from '../../paths.ts'
import type { SuggestionsProps } from '../../shared/address/useAddress.ts'
import { busyButtonProps, TextButton } from '../../shared/frame/controls.tsx'
import { Link } from '../../shared/frame/Link.tsx'
import { titleOf, toFailure } from '../../shared/lookup/failure.ts'
import { useCommunity } from '../../shared/lookup/useCommunity.ts'
import { WithCommunity } from '../../shared/lookup/WithCommunity.tsx'
import { useSuggestions } from './query.ts'

/** Suggests members while an address is typed, as options of the field's listbox. */
export default function Suggestions(props: SuggestionsProps) {
  return <WithCommunity skeleton={null}>{() => <Members {...props} />}</WithCommunity>
}

function Members({ prefix, id, optionId, active }: SuggestionsProps) {
  const { t } = useLazyTranslation('search')
  const { t: common } = useTranslation()
  const format = useFormat()
  const [parameters] = useSearchParams()
  const community = useCommunity()
  const { data: answer, error, isFetching, isPlaceholderData, refetch } = useSuggestions(community.id, prefix)
  // Typing has priority over rendering results.
  const data = useDeferredValue(answer)
  // While loading, show previous results that still match.
  const items = data?.items.filter(({ address }) => address.toLowerCase().startsWith(prefix.toLowerCase())) ?? []
  const isAnswered = data !== undefined && (!isPlaceholderData || items.length > 0)
  const list = useRef<HTMLDivElement>(null)
  useEffect(() => {
    list.current?.children[active]?.scrollIntoView({ block: 'nearest' })
  }, [active])
  return (
    <Root>
      <p role="status">
        <span>
          {isAnswered
            ? items.length === 0
              ? t('none', { prefix })
              : t('some', { count: items.length })
            : error
              ? common(titleOf(toFailure(error)))
              : common('loading')}
        </span>
        {!data && error && (
          <TextButton type="button" {...busyButtonProps(isFetching, () => void refetch())}>
            {common('failure.retry')}
          </TextButton>
        )}
      </p>
      <div ref={list} role="listbox" id={id} aria-label={t('found')}>
        {items.map((item, index) => (
          <Link
            key={item.address}
            id={optionId(index)}
            role="option"
            aria-selected={index === active}
            tabIndex={-1}
            to={lookupPath('search', parameters, { address: item.address })}
          >
            <Identicon address={item.address} size={20} />
            <code>
              <b>{item.address.slice(0, prefix.length)}</b>
              <span>{item.address.slice(prefix.length)}</span>
            </code>
            <span>{common('directs.team', { count: item.team, number: format.count(item.team) })}</span>
          </Link>
        ))}
      </div>
    </Root>
  )
}

const Root = styled('div')(({ theme }) => ({
  '& p': {
    display: 'flex',
    alignItems: 'center',
    gap: 12,
    minHeight: 32,
    margin: '0 10px',
    fontSize: '0.8125rem',
    color: theme.vars?.palette.text.secondary,
  },
  '& a': {
    display: 'flex',
    alignItems: 'center',
    gap: 12,
    minHeight: 44,
    padding: '0 10px',
    borderRadius: 8,
    color: 'inherit',
    textDecoration: 'none',
    fontSize: '0.875rem',
    '&:hover': { background: theme.vars?.palette.action.hover },
    '&[aria-selected="true"]': {
      background: theme.vars?.palette.action.selected,
      outline: `2px solid ${theme.vars?.palette.primary.main}`,
      outlineOffset: -2,
    },
  },
  '& code': {
    flex: 1,
    minWidth: 0,
    overflow: 'hidden',
    textOverflow: 'ellipsis',
    whiteSpace: 'nowrap',
    fontFamily: fonts.address,
  },
  '& b': { fontWeight: 400, color: theme.vars?.palette.primary.main },
  '& a span': { fontSize: '0.8125rem', color: theme.vars?.palette.text.secondary, whiteSpace: 'nowrap' },
}))
