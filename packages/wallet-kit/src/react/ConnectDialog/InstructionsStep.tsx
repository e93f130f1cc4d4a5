import type { ConnectStep } from '../../core/state/dialog.ts'
import type { WalletOption } from '../../core/wallets/wallet.ts'
import type { MessageKey } from '../../locales/en.ts'
import { Button } from '../Button.tsx'
import { detectDevice } from '../device/device.ts'
import { findDownloads } from '../device/findDownloads.ts'
import { useWalletKit } from '../hooks/useWalletKit.ts'
import { useTranslate } from '../language/useTranslate.ts'
import { StepActions } from './stepParts.ts'
import { Timeline } from './Timeline.tsx'

type Kind = Extract<ConnectStep['name'], `${string}Instructions`>

const instructions: Record<Kind, readonly (readonly [title: MessageKey, text: MessageKey])[]> = {
  extensionInstructions: [
    ['extensionInstall', 'extensionInstallText'],
    ['extensionCreate', 'extensionCreateText'],
    ['extensionRefresh', 'extensionRefreshText'],
  ],
  mobileInstructions: [
    ['mobileInstall', 'mobileInstallText'],
    ['extensionCreate', 'mobileCreateText'],
    ['mobileConnect', 'mobileConnectText'],
  ],
  desktopInstructions: [
    ['desktopInstall', 'desktopInstallText'],
    ['extensionCreate', 'extensionCreateText'],
    ['mobileConnect', 'mobileConnectText'],
  ],
}

/** Shows three instructions for a wallet that was just downloaded. */
export function InstructionsStep({ wallet, kind }: { wallet: WalletOption; kind: Kind }) {
  const { dispatch } = useWalletKit()
  const t = useTranslate()
  const { extension, desktop } = findDownloads(wallet.downloadUrls, detectDevice())
  const link = { extensionInstructions: extension, desktopInstructions: desktop, mobileInstructions: undefined }[kind]
  // A new extension appears only in pages loaded after its installation.
  const needsReload = kind === 'extensionInstructions' && !wallet.ready
  return (
    <>
      <Timeline
        items={instructions[kind].map(([title, text]) => ({
          title: t(title, { wallet: wallet.shortName }),
          text: t(text),
        }))}
      />
      <StepActions>
        <Button
          variant="contained"
          color="primary"
          onClick={() => (needsReload ? window.location.reload() : dispatch({ type: 'connect' }))}
        >
          {t(needsReload ? 'refresh' : 'connect')}
        </Button>
        {link && (
          <Button color="primary" href={link} target="_blank" rel="noreferrer">
            {t('get', { wallet: wallet.shortName })}
          </Button>
        )}
      </StepActions>
    </>
  )
}
