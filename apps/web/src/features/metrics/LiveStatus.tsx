import type { AsOf } from '@lineage/referral-api'
import { keyframes, styled } from '@mui/material/styles'
import { useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useFormat } from '../../lib/useFormat.ts'
import { visuallyHidden } from '../../lib/visuallyHidden.ts'

/** Shortest time between two announcements of new members, in milliseconds. */
const calm = 15_000

type Props = { asOf: AsOf; name: string; members: number; isCurrent: boolean }

/** Shows the block of the data; a dot pulses with each new block. Announces new members to screen readers. */
export function LiveStatus({ asOf, name, members, isCurrent }: Props) {
  const { t } = useTranslation()
  const format = useFormat()
  const told = useRef({ members, at: Number.NEGATIVE_INFINITY })
  const [news, setNews] = useState('')
  useEffect(() => {
    const more = members - told.current.members
    if (more <= 0 || performance.now() - told.current.at < calm) return
    told.current = { members, at: performance.now() }
    setNews(t('live.members', { count: more, number: format.count(more), total: format.count(members) }))
  }, [members, t, format])
  return (
    <Root>
      <i key={asOf.block} aria-hidden data-current={isCurrent} />
      {name} · {t('asOf', { block: format.count(asOf.block) })} ·{' '}
      <time dateTime={new Date(asOf.timestamp * 1_000).toISOString()}>{format.moment(asOf.timestamp)}</time>
      <span role="status">{news}</span>
    </Root>
  )
}

const beat = keyframes({ from: { transform: 'scale(2)', opacity: 0.3 }, to: { transform: 'none', opacity: 1 } })

const Root = styled('p')(({ theme }) => ({
  margin: 0,
  fontSize: '0.8125rem',
  color: theme.vars?.palette.text.secondary,
  '& [role="status"]': visuallyHidden,
  '& i': {
    display: 'inline-block',
    width: 7,
    height: 7,
    marginRight: 10,
    borderRadius: '50%',
    background: theme.vars?.palette.text.secondary,
    '&[data-current="true"]': { background: theme.vars?.palette.primary.main, animation: `${beat} 480ms ease-out` },
  },
}))
