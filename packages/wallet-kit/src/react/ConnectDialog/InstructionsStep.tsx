import { styled } from '@mui/material/styles'
import type { ConnectStep } from '../../core/state/state.ts'
import type { WalletOption } from '../../core/wallets/wallet.ts'
import type { MessageKey } from '../../locales/en.ts'
import { Button } from '../Button.tsx'
import { detectDevice } from '../device/device.ts'
import { findDownloads } from '../device/findDownloads.ts'
import { useWalletKit } from '../hooks/useWalletKit.ts'
import { useTranslate } from '../language.ts'
import { useWalletKitContext } from '../WalletKitContext.ts'
import { StepActions } from './stepParts.ts'

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

/** Explains what a wallet is. */
export function LearnStep() {
  const { dispatch } = useWalletKit()
  const { learnMoreUrl } = useWalletKitContext()
  const t = useTranslate()
  return (
    <>
      <Timeline
        items={[
          { title: t('learnOwnTitle'), text: t('learnOwnText') },
          { title: t('learnSignInTitle'), text: t('learnSignInText') },
          { title: t('learnTrustTitle'), text: t('learnTrustText') },
        ]}
      />
      <StepActions>
        <Button variant="contained" color="primary" onClick={() => dispatch({ type: 'get' })}>
          {t('getAWallet')}
        </Button>
        <Button color="primary" href={learnMoreUrl ?? 'https://ethereum.org/wallets/'} target="_blank" rel="noreferrer">
          {t('learnMore')}
        </Button>
      </StepActions>
    </>
  )
}

type TimelineProps = { items: readonly { title: string; text: string }[] }

/** Renders a list of points along a thin vertical line, one node each. */
function Timeline({ items }: TimelineProps) {
  return (
    <List>
      {items.map(({ title, text }) => (
        <li key={title}>
          <strong>{title}</strong>
          <span>{text}</span>
        </li>
      ))}
    </List>
  )
}

const List = styled('ol')(({ theme }) => {
  const { palette } = theme.vars ?? theme
  return {
    listStyle: 'none',
    margin: 0,
    padding: 0,
    width: '100%',
    maxWidth: 320,
    '& li': { position: 'relative', paddingInlineStart: 28, paddingBottom: 20, fontSize: 14, lineHeight: '21px' },
    '& li:last-child': { paddingBottom: 0 },
    '& li::before': {
      content: '""',
      position: 'absolute',
      insetInlineStart: 0,
      top: 6,
      width: 9,
      height: 9,
      borderRadius: '50%',
      boxSizing: 'border-box',
      border: `1.5px solid ${palette.primary.main}`,
    },
    '& li:not(:last-child)::after': {
      content: '""',
      position: 'absolute',
      insetInlineStart: 4,
      top: 18,
      bottom: -3,
      width: 1,
      background: palette.divider,
    },
    '& strong': { display: 'block', fontSize: 15, fontWeight: 600 },
    '& span': { display: 'block', color: palette.text.secondary, textWrap: 'pretty' },
  }
})
