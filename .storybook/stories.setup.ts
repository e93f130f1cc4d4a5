import { configure } from 'storybook/test'
import { translatePage } from '../scripts/lib/translatePage.ts'
import { waitLimit } from '../scripts/vitest/limits.ts'

// The looks are not translated.
translatePage()
configure({ asyncUtilTimeout: waitLimit })
