import { useTranslation } from 'react-i18next'
import type { ParsedAddress } from './parseAddress.ts'

/** Explains why an entry is invalid. Renders nothing for a valid entry. */
export function AddressProblem({ parsed, asked }: { parsed: ParsedAddress; asked: boolean }) {
  const { t } = useTranslation()
  switch (parsed.kind) {
    case 'empty':
    case 'valid':
    case 'name':
      return null
    case 'prefix':
      return t(asked ? 'field.short' : 'field.missing', { count: parsed.missing })
    case 'characters':
      return t('field.characters', { found: parsed.found })
    case 'shortened':
      return t('field.shortened')
    case 'transaction':
      return t('field.transaction')
    case 'tooLong':
      return t('field.tooLong', { count: parsed.extra })
    case 'checksum':
      return t('field.checksum')
    case 'notAddress':
      return t('field.notAddress')
  }
}
