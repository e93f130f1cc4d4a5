import { Button } from '../Button.tsx'
import { useWalletKit } from '../hooks/useWalletKit.ts'
import { ChainIcon } from '../icons/ChainIcon.tsx'
import { Part } from './Part.ts'
import { hiddenOn, type Responsive } from './responsive.ts'
import type { ButtonTexts } from './useButtonTexts.ts'
import type { ConnectButtonRenderProps } from './useConnectButton.ts'
import { useOpener } from './useOpener.ts'

export type ChainButtonProps = {
  button: ConnectButtonRenderProps
  chainStatus: Responsive<'full' | 'icon' | 'name' | 'none'>
  texts: ButtonTexts
  /** `true` if the wallet is on a chain that the app does not support. */
  isWrong: boolean
}

/** Opens the network dialog: "Wrong network", or the chain if the app has several. */
export function ChainButton({ button, texts, isWrong, chainStatus }: ChainButtonProps) {
  const kit = useWalletKit({ shouldThrow: false })
  const { account, chain, status, openChainModal, chainModalOpen } = button
  const opener = useOpener(openChainModal)
  const isChoice = kit && kit.config.chains.length > 1 && chain?.name
  if (!account || !chain || (!isWrong && !isChoice)) return null
  return (
    <Button
      {...opener}
      variant={isWrong ? 'contained' : 'outlined'}
      color={isWrong ? 'error' : 'inherit'}
      disabled={status === 'reconnecting'}
      aria-expanded={chainModalOpen}
      aria-label={isWrong ? undefined : chain.name}
      data-hidden={isWrong ? undefined : hiddenOn(chainStatus, (value) => value === 'none')}
    >
      {isWrong ? (
        texts.wrongNetwork
      ) : (
        <>
          <Part data-hidden={hiddenOn(chainStatus, (value) => value === 'name')}>
            <ChainIcon chain={{ id: chain.id, name: chain.name ?? '', iconUrl: chain.iconUrl }} size={24} />
          </Part>
          <Part data-hidden={hiddenOn(chainStatus, (value) => value === 'icon')}>{chain.name}</Part>
        </>
      )}
    </Button>
  )
}
