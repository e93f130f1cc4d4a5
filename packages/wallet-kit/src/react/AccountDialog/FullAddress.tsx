import { styled } from '@mui/material/styles'
import { useTranslate } from '../useTranslate.ts'

/**
 * The whole address in groups of four: look-alikes share only both ends. The gaps are space on the page, not characters,
 * so that selecting and copying gives the address itself.
 *
 * @see https://arxiv.org/abs/2501.16681
 */
export function FullAddress({ address }: { address: string }) {
  const t = useTranslate()
  const [prefix, ...groups] = [address.slice(0, 2), ...(address.slice(2).match(/.{1,4}/g) ?? [])]
  return (
    <Address role="group" aria-label={t('fullAddress')}>
      <span>
        <b>{prefix}</b>
        {groups.slice(0, 5).map((group, index) => (
          <b key={`${index}${group}`}>{group}</b>
        ))}
      </span>
      <span>
        <b />
        {groups.slice(5).map((group, index) => (
          <b key={`${index}${group}`}>{group}</b>
        ))}
      </span>
    </Address>
  )
}

const Address = styled('p')(({ theme }) => ({
  margin: 0,
  padding: '12px 0',
  fontFamily: 'ui-monospace, SFMono-Regular, Menlo, Consolas, monospace',
  fontSize: 14,
  lineHeight: '24px',
  textAlign: 'center',
  direction: 'ltr',
  color: (theme.vars ?? theme).palette.text.primary,
  '& > span': { display: 'block' },
  '& b': { display: 'inline-block', minWidth: '2ch', fontWeight: 400, marginInlineEnd: '1.25ch' },
  '& b:last-child': { marginInlineEnd: 0 },
}))
