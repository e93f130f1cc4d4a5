import { tableOf } from '../testing/printStories.ts'
import type * as stories from './NetworkDialog.stories.tsx'

/** Lists the states of the network dialog with their stories. */
export const networkStates = tableOf<typeof stories>()({
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
