import type { Events } from '@lineage/referral-api'
import { styled } from '@mui/material/styles'
import { useTranslation } from 'react-i18next'
import { useFormat } from '../../lib/format.ts'
import { fonts } from '../../lib/theme.ts'
import { shorten } from '../address/parseAddress.ts'
import { Between } from './Time.tsx'
import { useExplorer } from './useCommunity.ts'

type Props = { of: Pick<Events['items'][number], 'block' | 'tx' | 'grade' | 'between'> }

/** Shows the block of a bind, with a link to its transaction if there is an explorer; in print, the whole hash. */
export function BindProof({ of: { block, tx, grade, between } }: Props) {
  const { t } = useTranslation()
  const format = useFormat()
  const explorer = useExplorer()
  if (between) return <Between of={{ between, grade }} />
  const text = t('member.block', { block: format.count(block) })
  if (!tx) return <span>{text}</span>
  const named = `${text} · ${shorten(tx)}`
  return (
    <Root>
      {explorer ? (
        <a href={`${explorer}/tx/${tx}`} target="_blank" rel="noreferrer" title={tx}>
          {named}
        </a>
      ) : (
        <span title={tx}>{named}</span>
      )}
      <code>{tx}</code>
    </Root>
  )
}

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
