import { type Translate, useTranslation } from '../../lib/i18n.ts'
import type { ParsedAddress } from './parseAddress.ts'

/** Explains why an entry is invalid. Renders nothing for a valid entry. */
export function AddressProblem({ parsed, asked }: { parsed: ParsedAddress; asked: boolean }) {
  const { t } = useTranslation()
  const text = problemOf(parsed, asked, t)
  return text && <span>{text}</span>
}

function problemOf(parsed: ParsedAddress, asked: boolean, t: Translate): string | undefined {
  switch (parsed.kind) {
    case 'empty':
    case 'valid':
    case 'name':
      return undefined
    case 'prefix':
      return t(asked ? 'field.short' : 'field.missing', { count: parsed.missing })
    case 'characters':
      return t('field.characters', { found: parsed.found })
    case 'tooLong':
      return t('field.tooLong', { count: parsed.extra })
    default:
      return t(`field.${parsed.kind}`)
  }
}
