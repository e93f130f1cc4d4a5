import type { ConnectStep } from '../../core/state/dialog.ts'
import type { WalletOption } from '../../core/wallets/wallet.ts'
import { isOnPhone } from '../device/device.ts'
import { ConnectingStepView } from './ConnectingStepView.tsx'
import { usesRelay } from './connectingTexts.ts'
import { DownloadOptionsStep } from './DownloadOptionsStep.tsx'
import { DownloadStep } from './DownloadStep.tsx'
import { GetStep } from './GetStep.tsx'
import { InstructionsStep } from './InstructionsStep.tsx'
import { LearnStep } from './LearnStep.tsx'
import { OpenAppStep } from './OpenAppStep.tsx'
import { ScanStep } from './ScanStep.tsx'

type ConnectStepViewProps = { step: ConnectStep; wallet: WalletOption | undefined }

/** Renders a step of the connect dialog. */
export function ConnectStepView({ step, wallet }: ConnectStepViewProps) {
  if (step.name === 'list' || step.name === 'learn') return <LearnStep />
  if (step.name === 'get') return <GetStep />
  // The wallet disappeared from the page while its step was shown.
  if (!wallet) return null
  switch (step.name) {
    case 'connecting':
      if (!usesRelay(step, wallet)) return <ConnectingStepView step={step} wallet={wallet} />
      return isOnPhone() ? <OpenAppStep step={step} wallet={wallet} /> : <ScanStep step={step} wallet={wallet} />
    case 'downloadOptions':
      return <DownloadOptionsStep wallet={wallet} />
    case 'download':
      return <DownloadStep wallet={wallet} />
    default:
      return <InstructionsStep wallet={wallet} kind={step.name} />
  }
}
