import { styled } from '@mui/material/styles'
import { useSearchParams } from 'react-router-dom'
import { useTranslation } from '../../lib/i18n.ts'
import { lookupPath } from '../../paths.ts'
import { Button } from '../frame/Button.tsx'
import { Link } from '../frame/Link.tsx'

type Name = 'community' | 'referrals' | 'referrers'

/** Links to other lookups of an address, at the same moment. */
export function LookupLinks({ address, names }: { address: string; names: readonly Name[] }) {
  const { t } = useTranslation()
  const [parameters] = useSearchParams()
  return (
    <Root>
      {names.map((name) => (
        <Button
          key={name}
          size="small"
          variant="outlined"
          component={Link}
          to={lookupPath(name, parameters, { address })}
        >
          {t(`address.look.${name}`)}
        </Button>
      ))}
    </Root>
  )
}

const Root = styled('div')({ display: 'flex', flexWrap: 'wrap', gap: '12px 10px', margin: '18px 0 6px' })
