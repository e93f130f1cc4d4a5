import { parseArgs } from 'node:util'
import { migrate } from './migrate.ts'

const usage = `Moves an app from RainbowKit to @lineage/wallet-kit. It keeps wagmi.

  lineage-wallet-kit-codemod <folder> [--dry-run]

--dry-run  shows what would change, and changes nothing`

try {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { 'dry-run': { type: 'boolean', default: false }, help: { type: 'boolean', short: 'h', default: false } },
  })
  const [folder] = positionals
  if (values.help) console.log(usage)
  else if (folder === undefined || positionals.length > 1) fail(usage)
  else report(folder, values['dry-run'])
} catch (thrown) {
  fail(thrown instanceof Error ? thrown.message : String(thrown))
}

function report(folder: string, isDryRun: boolean): void {
  const { changed, notes } = migrate(folder, isDryRun)
  if (changed.length > 0) console.log(isDryRun ? 'Would change, in lines:' : 'Changed, in lines:')
  for (const { file, added, removed } of changed) console.log(`${file}  +${added} -${removed}`)
  if (changed.length === 0) console.log('Nothing to change: no file imports RainbowKit in a way that can be rewritten.')
  if (notes.length > 0) console.log('\nLeft for you:')
  for (const { file, line, text } of notes) console.log(`${file}:${line}  ${text}`)
  if (changed.length > 0)
    console.log(`
Then change what is installed, for example with npm:
  npm uninstall @rainbow-me/rainbowkit
  npm install @lineage/wallet-kit wagmi@3 viem@2 @tanstack/react-query @mui/material @emotion/react @emotion/cache @emotion/styled
With Next.js also install @mui/material-nextjs, and put its AppRouterCacheProvider around the provider.
RainbowKit needs wagmi 2, the kit wagmi 3. Its old names, such as useAccount, still work:
  https://wagmi.sh/react/guides/migrate-from-v2-to-v3`)
}

function fail(message: string): void {
  console.error(message)
  process.exitCode = 1
}
