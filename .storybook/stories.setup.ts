import { translatePage } from '../scripts/lib/translatePage.ts'

// The looks are not translated.
translatePage()
