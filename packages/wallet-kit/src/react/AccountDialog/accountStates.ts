import { tableOf } from '../testing/printStories.ts'
import type * as stories from './AccountDialog.stories.tsx'

/** Lists the states of the account dialog with their stories. */
export const accountStates = tableOf<typeof stories>()({
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
