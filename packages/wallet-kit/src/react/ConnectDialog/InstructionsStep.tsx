import Button from '@mui/material/Button'
import type { ConnectStep } from '../../core/steps.ts'
import type { WalletOption } from '../../core/wallet.ts'
import type { MessageKey } from '../../locales/en.ts'
import { findDownloads } from '../findDownloads.ts'
import { Lineage } from '../Lineage.tsx'
import { detectDevice } from '../platform.ts'
import { useTranslate } from '../useTranslate.ts'
import { useWalletKit } from '../useWalletKit.ts'
import { StepActions } from './StepActions.tsx'

type Kind = Extract<ConnectStep['name'], `${string}Instructions`>

const points: Record<Kind, readonly (readonly [title: MessageKey, text: MessageKey])[]> = {
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

/** Three things to do with a wallet that has just been downloaded. */
export function InstructionsStep({ wallet, kind }: { wallet: WalletOption; kind: Kind }) {
  const { dispatch } = useWalletKit()
  const t = useTranslate()
  const { extension, desktop } = findDownloads(wallet.downloadUrls, detectDevice())
  const link = { extensionInstructions: extension, desktopInstructions: desktop, mobileInstructions: undefined }[kind]
  // An extension comes into a page when the page is loaded.
  const needsReload = kind === 'extensionInstructions' && !wallet.ready
  return (
    <>
      <Lineage
        items={points[kind].map(([title, text]) => ({ title: t(title, { wallet: wallet.shortName }), text: t(text) }))}
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
