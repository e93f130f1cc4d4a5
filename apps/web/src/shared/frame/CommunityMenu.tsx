import { nameIn } from '@lineage/referral-api'
import CommunityIcon from '@mui/icons-material/HubOutlined'
import Divider from '@mui/material/Divider'
import MenuItem from '@mui/material/MenuItem'
import { styled } from '@mui/material/styles'
import { useCallback } from 'react'
import { useLocation, useSearchParams } from 'react-router-dom'
import { useLazyTranslation } from '../../lib/i18n.ts'
import { keptOnPage, lookupPath, withChanges } from '../../paths.ts'
import { useChosenCommunity, useCommunities } from '../lookup/useCommunity.ts'
import { BarMenu } from './BarMenu.tsx'
import { Link } from './Link.tsx'
import { RadioRow } from './RadioRow.tsx'

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
          <span>{t('all')}</span>
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

/** Switches between communities in the drawer, and links to the list of all. */
export function CommunityRow({ onClose }: { onClose: () => void }) {
  const { t } = useLazyTranslation('communities')
  const [parameters] = useSearchParams()
  const choice = useCommunityChoice()
  const choose = (id: string) => {
    onClose()
    choice.onChange(id)
  }
  return (
    <>
      <RadioRow labelled="visibly" {...choice} onChange={choose} />
      <Link className="plain" to={lookupPath('metrics', parameters, { view: 'communities' })} onClick={onClose}>
        {t('all')}
      </Link>
    </>
  )
}

/** Returns the choice of community, for a menu or a row of radio buttons. A change keeps the address. */
function useCommunityChoice() {
  const { t, i18n } = useLazyTranslation('communities')
  const { state } = useLocation()
  const [, setParameters] = useSearchParams()
  const items = useCommunities().data?.items ?? []
  const onChange = useCallback(
    (id: string) =>
      setParameters(
        (current) => {
          const next = withChanges(current, { community: id })
          if (next.get('view') === 'communities') next.delete('view')
          // The other parameters belong to an answer of the previous community.
          for (const key of [...next.keys()]) if (!keptOnPage.includes(key)) next.delete(key)
          return next
        },
        { state },
      ),
    [setParameters, state],
  )
  return {
    label: t('switch'),
    value: useChosenCommunity(items)?.id ?? '',
    options: items.map(({ id, name }) => [id, nameIn(name, i18n.language)] as const),
    onChange,
  }
}
