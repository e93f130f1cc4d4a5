import Button from '@mui/material/Button'
import { Link, useSearchParams } from 'react-router-dom'
import { useTexts } from '../../lib/useTexts.ts'
import { lookupPath } from '../../paths.ts'

/** To where a whole list goes in. */
export default function ListLink() {
  const { t } = useTexts('search')
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
