import type { ConnectStep } from '../../core/state/dialog.ts'
import { tableOf } from '../testing/printStories.ts'
import type * as stories from './ConnectDialog.stories.tsx'

/** Lists the steps of the connect dialog with their stories. */
export const connectStates = tableOf<typeof stories, ConnectStep['name']>()({
  list: {
    shows: 'the wallets: those on the page first, then the app’s groups',
    stories: ['List', 'ManyWallets', 'UnknownWallet', 'ListCompact', 'ListOnPhone'],
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
