import { configure } from 'storybook/test'
import { removeNewer } from '../scripts/lib/removeNewer.ts'
import { translatePage } from '../scripts/lib/translatePage.ts'
import { waitLimit } from '../scripts/vitest/limits.ts'

// The looks are not translated.
removeNewer()
translatePage()
configure({ asyncUtilTimeout: waitLimit })
