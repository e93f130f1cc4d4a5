import type { SignInStepName } from '../../core/signIn/signInSteps.ts'
import { tableOf } from '../testing/printStories.ts'
import type * as stories from './SignInDialog.stories.tsx'

/** Lists the steps of the sign-in dialog with their stories. */
export const signInStates = tableOf<typeof stories, SignInStepName>()({
  preparing: { shows: 'that the message is being prepared', stories: ['Preparing'] },
  unprepared: {
    shows: 'why there is no message or no session, and the next try',
    stories: ['PreparingFailed', 'SigningFailed', 'VerifyingFailed', 'SessionOfAnotherAccount'],
  },
  idle: { shows: 'what to sign, also after a rejection', stories: ['Idle', 'Rejected', 'OnPhoneOverTheRelay'] },
  signing: { shows: 'that the wallet asks for the signature', stories: ['Signing', 'AnotherRequestOpen'] },
  verifying: { shows: 'that the signature is being verified', stories: ['Verifying'] },
  wrongNetwork: {
    shows: 'that the wallet must switch its network first',
    stories: ['WrongNetwork', 'WrongNetworkInWallet', 'Switching', 'SwitchRejected'],
  },
})
