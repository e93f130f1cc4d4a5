import { styled } from '@mui/material/styles'
import { useLazyTranslation } from '../../lib/i18n.ts'
import { useFormat } from '../../lib/useFormat.ts'
import type { AddressList } from '../../shared/address/parseList.ts'

type Props = { list: AddressList; isCut: boolean; withUnread?: boolean }

/** Shows how many addresses of a list were read, merged and left out. */
export function ListNotes({ list: { entries, repeated, beyond, unread }, isCut, withUnread = false }: Props) {
  const { t } = useLazyTranslation('search')
  const format = useFormat()
  const plain = [
    t('list.count', { count: entries.length }),
    ...(repeated > 0 ? [t('list.repeated', { count: repeated })] : []),
    ...(withUnread && unread.length > 0 ? [t('list.unread', { count: unread.length })] : []),
  ]
  return (
    <>
      {plain.join(' · ')}
      {beyond > 0 && <Left>{t('list.beyond', { count: beyond, number: format.count(beyond) })}</Left>}
      {isCut && <Left>{t('list.cut')}</Left>}
    </>
  )
}

const Left = styled('span')(({ theme }) => ({ display: 'block', color: theme.vars?.palette.warning.main }))
