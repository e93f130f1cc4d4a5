import { storyNameFromExport, toId } from 'storybook/internal/csf'
import type { SignInStepName } from '../../core/signIn/signInSteps.ts'
import type { ConnectStep } from '../../core/state/state.ts'
import type * as accountStories from '../AccountDialog/AccountDialog.stories.tsx'
import type * as connectStories from '../ConnectDialog/ConnectDialog.stories.tsx'
import type * as networkStories from '../NetworkDialog/NetworkDialog.stories.tsx'
import type * as signInStories from '../SignInDialog/SignInDialog.stories.tsx'

/** A state of a dialog, and the stories that show it. */
type State<name extends PropertyKey> = { shows: string; stories: readonly name[] }

/** Names of the stories in a file. */
type StoryName<stories> = Exclude<keyof stories, 'default'>

type Complete<missing> = [missing] extends [never] ? unknown : { 'stories without a row': missing }

/**
 * Returns a function that returns its table of states. The compiler refuses a table without a row for each of `row`, or without a
 * story of the file `stories`.
 */
const tableOf =
  <stories, row extends string = string>() =>
  <const states extends Record<row, State<StoryName<stories>>>>(
    states: states & Complete<Exclude<StoryName<stories>, states[keyof states & row]['stories'][number]>>,
  ): Record<string, State<string>> =>
    states as Record<string, State<string>>

/**
 * Returns a table of states with links to their stories as Markdown, for the documentation.
 *
 * @param title - Title of the stories' file.
 * @param head - Header of the first column.
 */
export function printStories(title: string, states: Record<string, State<string>>, head: string): string {
  const link = (name: string) => {
    const words = storyNameFromExport(name)
    return `[${words}](?path=/story/${toId(title, words)})`
  }
  const rows = Object.entries(states).map(([name, { shows, stories }]) => [name, shows, stories.map(link).join(', ')])
  return [[head, 'shows', 'stories'], ['---', '---', '---'], ...rows].map((row) => `| ${row.join(' | ')} |`).join('\n')
}

/** Lists the states of the account dialog with their stories. */
export const accountStates = tableOf<typeof accountStories>()({
  account: {
    shows: 'the address or name with its avatar',
    stories: ['Account', 'WithName', 'LongName', 'BrokenAvatar', 'OnPhone'],
  },
  balance: {
    shows: 'the balance: being read, not readable, or of the last time',
    stories: ['ReadingBalance', 'BalanceFailed', 'BalanceStale'],
  },
  'Copy Address': { shows: 'the outcome on the button', stories: ['Copied', 'CopyFailed'] },
  transactions: {
    shows: 'those that the app added, with their state and a link to the explorer',
    stories: [
      'Transactions',
      'TransactionsChinese',
      'TransactionsOfSafe',
      'FailedTransactions',
      'WithoutExplorer',
      'TransactionsOnPhone',
      'FailedTransactionsOnPhone',
    ],
  },
  'sign-in': {
    shows: 'whether the account is signed in; signing out',
    stories: ['NotSignedIn', 'SignedIn', 'SignOutFailed', 'SignedInOnPhone'],
  },
  'wrong network': { shows: 'that the wallet is on another network', stories: ['WrongNetwork'] },
})

/** Lists the steps of the connect dialog with their stories. */
export const connectStates = tableOf<typeof connectStories, ConnectStep['name']>()({
  list: {
    shows: 'the wallets: those on the page first, then the app’s groups',
    stories: ['List', 'ManyWallets', 'AllWallets', 'UnknownWallet', 'ListCompact', 'ListOnPhone'],
  },
  learn: { shows: 'what a wallet is', stories: ['Learn'] },
  get: { shows: 'wallets to install', stories: ['Get'] },
  connecting: {
    shows: 'the request to a wallet, and how it ended',
    stories: ['Opening', 'AlreadyOpen', 'Rejected', 'Cancelled', 'Failed', 'Locked', 'OpeningCompact'],
  },
  downloadOptions: { shows: 'a wallet’s app, extension or desktop program to choose', stories: ['DownloadOptions'] },
  download: { shows: 'a QR code, or on a phone a link, to the app', stories: ['Download', 'DownloadOnPhone'] },
  mobileInstructions: { shows: 'how to connect with the app', stories: ['MobileInstructions'] },
  extensionInstructions: { shows: 'how to install the extension', stories: ['ExtensionInstructions'] },
  desktopInstructions: { shows: 'how to install the desktop program', stories: ['DesktopInstructions'] },
})

/** Lists the states of the network dialog with their stories. */
export const networkStates = tableOf<typeof networkStories>()({
  networks: {
    shows: 'the app’s networks, the current one marked',
    stories: ['Networks', 'OneNetwork', 'WrongNetwork', 'OnPhone'],
  },
  notOffered: {
    shows: 'which networks have to be chosen in the wallet, before it is asked',
    stories: ['NotOffered'],
  },
  switching: { shows: 'that the wallet asks', stories: ['Switching', 'AlreadyOpen'] },
  outcome: {
    shows: 'why the network was not switched; a success closes the dialog',
    stories: ['Rejected', 'Failed', 'CannotSwitch'],
  },
})

/** Lists the steps of the sign-in dialog with their stories. */
export const signInStates = tableOf<typeof signInStories, SignInStepName>()({
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
