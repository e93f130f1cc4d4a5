import type { ConnectStep } from '../../core/state/state.ts'
import type { WalletOption } from '../../core/wallets/wallet.ts'
import { Button } from '../Button.tsx'
import { detectDevice } from '../device/device.ts'
import { findDownloads } from '../device/findDownloads.ts'
import { useWalletKit } from '../hooks/useWalletKit.ts'
import { useTranslate } from '../language.ts'
import * as Connect from '../parts/Connect.tsx'
import { useWalletKitContext } from '../WalletKitContext.ts'

type Kind = Extract<ConnectStep['name'], `${string}Instructions`>

/** The titles of the instructions. The key of their text ends in `Text`. */
const instructions = {
  extensionInstructions: ['extensionInstall', 'extensionCreate', 'extensionRefresh'],
  mobileInstructions: ['mobileInstall', 'extensionCreate', 'mobileConnect'],
  desktopInstructions: ['desktopInstall', 'extensionCreate', 'mobileConnect'],
} as const satisfies Record<Kind, unknown>

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
        items={instructions[kind].map((key) => ({
          title: t(key, { wallet: wallet.shortName }),
          text: t(`${key}Text`),
        }))}
      />
      <div className="wk-actions wk-own">
        <Button
          variant="contained"
          onClick={() => (needsReload ? window.location.reload() : dispatch({ type: 'connect' }))}
        >
          {t(needsReload ? 'refresh' : 'connect')}
        </Button>
        {link && (
          <Button href={link} target="_blank" rel="noreferrer">
            {t('get', { wallet: wallet.shortName })}
          </Button>
        )}
      </div>
    </>
  )
}

/** Explains what a wallet is. */
export function LearnStep() {
  const { learnMoreUrl } = useWalletKitContext()
  const t = useTranslate()
  return (
    <>
      <Timeline
        items={(['learnOwn', 'learnSignIn', 'learnTrust'] as const).map((key) => ({
          title: t(`${key}Title`),
          text: t(`${key}Text`),
        }))}
      />
      <div className="wk-actions wk-own">
        <Connect.Action event={{ type: 'get' }} render={<Button variant="contained" />}>
          {t('getAWallet')}
        </Connect.Action>
        <Button href={learnMoreUrl ?? 'https://ethereum.org/wallets/'} target="_blank" rel="noreferrer">
          {t('learnMore')}
        </Button>
      </div>
    </>
  )
}

type TimelineProps = { items: readonly { title: string; text: string }[] }

/** Renders a list of points along a thin vertical line, one node each. */
function Timeline({ items }: TimelineProps) {
  return (
    <ol className="wk-rows wk-points wk-own">
      {items.map(({ title, text }) => (
        <li key={title} className="wk-point wk-own">
          <strong className="wk-point-title wk-own">{title}</strong>
          <span className="wk-point-text wk-own">{text}</span>
        </li>
      ))}
    </ol>
  )
}
