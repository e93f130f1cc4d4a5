/**
 * `pnpm size`: compares the compressed sizes of the parts, grouped by when they load, with budgets. Build the kit
 * first.
 */
import { readdirSync } from 'node:fs'
import { basename, join } from 'node:path'
import type { SizeLimitConfig } from 'size-limit'
import { buildHostPage, buildKitEntries, buildWeb, filesOf, partsOf, scriptsOf } from './scripts/lib/builds.ts'

const reports = join(import.meta.dirname, 'reports/size')
const web = await buildWeb(join(reports, 'web'))
const page = await buildHostPage('kit', join(reports, 'kit'))
const entries = await buildKitEntries(join(reports, 'entries'))

const check = (name: string, limit: string, path: string[]) => ({ name, limit, path, gzip: true })

const beforeClick = filesOf(page, ['kit.html'])
// Vite moves code that the page shares with later parts into separate files.
const mostFiles = 5
if (beforeClick.length > mostFiles)
  throw new Error(`The page loads ${beforeClick.length} files before the click, at most ${mostFiles} are allowed.`)
// The dialog in English, with the icons of the wallets that it lists.
const dialog = partsOf(page, /\/(Dialogs|en|popular)-[\w-]+\.js$/)
const onClick = filesOf(page, dialog).filter((file) => !beforeClick.includes(file))

// Every page in the default language.
const frame = ['index.html', 'src/locales/zh-CN.ts']
const routes = readdirSync(join(import.meta.dirname, 'apps/web/src/routes')).map((file) =>
  check(`Web: ${basename(file, '.tsx')}`, '180 kB', filesOf(web, [...frame, `src/routes/${file}`])),
)

const entry = (name: string, limit: string) => check(`Kit: ./${name}`, limit, filesOf(entries, [`dist/${name}.js`]))

export default [
  check('Page with the connect button', '95 kB', beforeClick),
  check('Click → dialog', '23 kB', onClick),
  // With the icons of chains, 8 kB, which load when one is shown.
  check('The whole build of that page', '518 kB', scriptsOf(page)),
  ...routes,
  // Without peer dependencies. Each entry except `testing` includes the shared modules of 5 kB.
  entry('index', '17 kB'),
  // With viem's `createClient`, 0.7 kB, which the page then does not have from viem.
  entry('core', '19 kB'),
  // Every definition; an app contains those that it names.
  entry('wallets', '18 kB'),
  entry('parts', '25 kB'),
  entry('wagmi', '6 kB'),
  entry('testing', '3 kB'),
] satisfies SizeLimitConfig
