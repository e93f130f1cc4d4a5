import { styled } from '@mui/material/styles'
import type { WalletKitChain } from '../../core/state/config.ts'
import { chainIcons } from './chainIcons.ts'

type ChainIconProps = { chain: Pick<WalletKitChain, 'id' | 'name' | 'iconUrl'>; size: number }

/** Shows a chain's icon, or else its initial. Decorative: the name stands beside it or labels the button. */
export function ChainIcon({ chain: { id, name, iconUrl = chainIcons[id] }, size }: ChainIconProps) {
  return iconUrl ? (
    <Picture src={iconUrl} alt="" width={size} height={size} />
  ) : (
    <Initial aria-hidden="true" size={size}>
      {[...name][0]}
    </Initial>
  )
}

const Picture = styled('img')({ display: 'block', flex: 'none', borderRadius: '50%' })

const Initial = styled('span', { shouldForwardProp: (prop) => prop !== 'size' })<{ size: number }>(
  ({ theme, size }) => ({
    display: 'grid',
    placeItems: 'center',
    flex: 'none',
    width: size,
    height: size,
    borderRadius: '50%',
    fontSize: size / 2,
    background: (theme.vars ?? theme).palette.action.selected,
  }),
)
