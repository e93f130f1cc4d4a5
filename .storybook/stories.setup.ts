import { configure } from 'storybook/test'
import { removeNewer, translatePage } from '../scripts/lib/visitorBrowsers.ts'
import { waitLimit } from '../scripts/vitest/limits.ts'

// The looks are not translated.
removeNewer()
translatePage()
configure({ asyncUtilTimeout: waitLimit })
