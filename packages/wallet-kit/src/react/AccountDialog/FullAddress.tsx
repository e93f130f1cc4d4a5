import { styled } from '@mui/material/styles'
import { useTranslate } from '../language/useTranslate.ts'
import { monospace } from '../theme/fonts.ts'

/**
 * Shows the full address in groups of four, because look-alike addresses share only both ends. The gaps are margins,
 * not characters, so that a copied selection is the address itself.
 *
 * @see https://arxiv.org/abs/2501.16681
 */
export function FullAddress({ address }: { address: string }) {
  const t = useTranslate()
  const groups = [address.slice(0, 2), ...(address.slice(2).match(/.{1,4}/g) ?? [])]
  return (
    <Address dir="ltr" role="group" aria-label={t('fullAddress')}>
      {groups.map((group, index) => (
        <b key={`${index}${group}`}>{group}</b>
      ))}
    </Address>
  )
}

/** Two lines of five groups, as wide as 0x, five groups and five gaps. */
const Address = styled('p')(({ theme }) => ({
  width: 'calc(22ch + 5 * 1.25ch + 1px)',
  maxWidth: '100%',
  margin: '0 auto',
  padding: '12px 0',
  fontFamily: monospace,
  fontSize: 14,
  lineHeight: '24px',
  textAlign: 'right',
  color: (theme.vars ?? theme).palette.text.primary,
  // Inline: a selection across blocks would contain line breaks.
  '& b': { display: 'inline-block', fontWeight: 400, marginLeft: '1.25ch' },
  '& b:first-of-type': { marginLeft: 0 },
}))
