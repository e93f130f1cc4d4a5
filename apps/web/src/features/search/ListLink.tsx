import Button from '@mui/material/Button'
import { Link, useSearchParams } from 'react-router-dom'
import { useLazyTranslation } from '../../lib/i18n.ts'
import { lookupPath } from '../../paths.ts'

/** Links to the form for a list of addresses. */
export default function ListLink() {
  const { t } = useLazyTranslation('search')
  const [parameters] = useSearchParams()
  return (
    <Button
      variant="outlined"
      component={Link}
      to={lookupPath('search', parameters, { view: 'list' })}
      sx={{ marginTop: '16px', minHeight: 44 }}
    >
      {t('list.enter')}
    </Button>
  )
}
