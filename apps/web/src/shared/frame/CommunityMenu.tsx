import CommunityIcon from '@mui/icons-material/HubOutlined'
import Divider from '@mui/material/Divider'
import MenuItem from '@mui/material/MenuItem'
import { styled } from '@mui/material/styles'
import { Link, useSearchParams } from 'react-router-dom'
import { useLazyTranslation } from '../../lib/i18n.ts'
import { lookupPath } from '../../paths.ts'
import { BarMenu } from './BarMenu.tsx'
import { useCommunityChoice } from './useCommunityChoice.ts'

/** Switches between communities in the top bar, and links to the list of all. */
export default function CommunityMenu() {
  const { t } = useLazyTranslation('communities')
  const [parameters] = useSearchParams()
  const choice = useCommunityChoice()
  const name = choice.options.find(([id]) => id === choice.value)?.[1]
  return (
    <BarMenu
      {...choice}
      label={name ? `${choice.label} · ${name}` : choice.label}
      icon={
        <>
          <CommunityIcon fontSize="small" />
          <Name>{name}</Name>
        </>
      }
      more={(close) => [
        <Divider key="divider" />,
        <MenuItem
          key="all"
          component={Link}
          to={lookupPath('metrics', parameters, { view: 'communities' })}
          onClick={close}
        >
          {t('all')}
        </MenuItem>,
      ]}
    />
  )
}

const Name = styled('span')({
  maxWidth: '9em',
  marginLeft: 6,
  overflow: 'hidden',
  textOverflow: 'ellipsis',
  whiteSpace: 'nowrap',
  fontSize: '0.875rem',
  // Narrower bars have room only for the icon.
  '@media (max-width: 79.9969em)': { display: 'none' },
})
