import type { Events } from '@lineage/referral-api'
import { styled } from '@mui/material/styles'
import type { ReactNode } from 'react'
import { useFormat } from '../../lib/format.ts'
import { useTranslation } from '../../lib/i18n.ts'
import { fonts, phone } from '../../lib/theme.ts'
import { shorten } from '../address/parseAddress.ts'
import { Between, Joined, type TimeProps } from './Time.tsx'
import { useExplorer } from './useCommunity.ts'

type Props = { of: Pick<Events['items'][number], 'block' | 'tx' | 'grade' | 'between'> }

/** Shows the block of a bind, with a link to its transaction if there is an explorer; in print, the whole hash. */
export function BindProof({ of: { block, tx, grade, between } }: Props) {
  const { t } = useTranslation()
  const format = useFormat()
  if (between) return <Between of={{ between, grade }} />
  const text = t('member.block', { block: format.count(block) })
  if (!tx) return <span>{text}</span>
  return (
    <Root>
      <TxLink tx={tx}>
        <span>{`${text} · ${shorten(tx)}`}</span>
      </TxLink>
      <code>{tx}</code>
    </Root>
  )
}

/** Renders a link to a transaction if there is an explorer. */
export function TxLink({ tx, children }: { tx: string | null; children: ReactNode }) {
  const explorer = useExplorer()
  if (!explorer || !tx) return <span title={tx ?? undefined}>{children}</span>
  return (
    <a href={`${explorer}/tx/${tx}`} target="_blank" rel="noreferrer" title={tx}>
      {children}
    </a>
  )
}

type TimedProps = { of: Props['of'] & Pick<Events['items'][number], 'timestamp'> } & Pick<TimeProps, 'form' | 'now'>

/** Shows when a bind was made, and below it the block and the transaction. */
export function TimedProof({ of, ...time }: TimedProps) {
  return (
    <Lines>
      <Joined of={{ joinedAt: of.timestamp, grade: of.grade }} {...time} />
      <BindProof of={of} />
    </Lines>
  )
}

const Lines = styled('span')(({ theme }) => ({
  display: 'inline-flex',
  flexDirection: 'column',
  padding: '4px 0',
  fontSize: '0.8125rem',
  lineHeight: '20px',
  color: theme.vars?.palette.text.secondary,
  [phone]: { display: 'inline', whiteSpace: 'normal', '& > * + *::before': { content: '" · "' } },
}))

const Root = styled('span')({
  '& a': { color: 'inherit', textUnderlineOffset: 4 },
  '& code': { display: 'none' },
  '@media print': {
    '& code': {
      display: 'block',
      fontFamily: fonts.address,
      fontSize: '0.6875rem',
      whiteSpace: 'normal',
      overflowWrap: 'anywhere',
    },
  },
})
