import Button from '@mui/material/Button'
import { Link, useSearchParams } from 'react-router-dom'
import { useLazyTranslation } from '../../lib/i18n.ts'
import { lookupPath } from '../../paths.ts'

/** Links to the list of all communities. */
export default function CommunitiesLink() {
  const { t } = useLazyTranslation('communities')
  const [parameters] = useSearchParams()
  return (
    <Button
      component={Link}
      to={lookupPath('metrics', parameters, { view: 'communities' })}
      color="primary"
      size="small"
      sx={{ minHeight: 44, marginX: '-10px' }}
    >
      {t('all')}
    </Button>
  )
}
