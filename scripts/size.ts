/** `pnpm size [report.json]`: what a page loads before anything is clicked, gzipped, against its budget. */
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { build, type Plugin, type Rolldown } from 'vite'

export type Budget = { name: string; size: number; limit: number }

const web = join(import.meta.dirname, '../apps/web')
const routes = join(web, 'src/routes')
const kit = join(import.meta.dirname, '../packages/wallet-kit/src')

/** One button that connects a wallet, as a host would write it. */
const kitPage = `
  import Button from '@mui/material/Button'
  import { createElement as e } from 'react'
  import { createRoot } from 'react-dom/client'
  import { bsc } from 'viem/chains'
  import { http } from 'viem'
  import { ConnectButton, WalletKitProvider } from '@lineage/wallet-kit'
  import { createWalletKit } from '@lineage/wallet-kit/core'
  import { defaultWallets } from '@lineage/wallet-kit/wallets'
  const kit = createWalletKit({ appName: 'Page', chains: [bsc], transports: { [bsc.id]: http('/rpc') }, wallets: defaultWallets() })
  createRoot(document.body).render(e(WalletKitProvider, { kit }, e(Button, null, 'Host'), e(ConnectButton)))
`

const pages = await chunksOf({})
const frame = pages.filter((chunk) => chunk.isEntry)
const budgets: Budget[] = readdirSync(routes).map((file) => ({
  name: `The page ${basename(file, '.tsx')}`,
  size: sizeOf(pages, [...frame, chunkOf(pages, join(routes, file))]),
  limit: 215_000,
}))

const one = await chunksOf({ 'virtual:page': kitPage })
const button = one.filter((chunk) => chunk.isEntry)
const dialogs = [chunkOf(one, join(kit, 'react/Dialogs.tsx')), chunkOf(one, join(kit, 'locales/en.ts'))]
const beforeClick = sizeOf(one, button)
budgets.push(
  { name: 'A page with the connect button', size: beforeClick, limit: 140_000 },
  { name: 'The dialog on the first click', size: sizeOf(one, [...button, ...dialogs]) - beforeClick, limit: 40_000 },
)

for (const { name, size, limit } of budgets) {
  const mark = size > limit ? '✗' : '✓'
  console.log(`${mark} ${name.padEnd(32)} ${kilobytes(size)} of ${kilobytes(limit)} kB`)
}
if (budgets.some(({ size, limit }) => size > limit)) process.exitCode = 1
const [report] = process.argv.slice(2)
if (report) {
  mkdirSync(dirname(report), { recursive: true })
  writeFileSync(report, JSON.stringify(budgets))
}

/** A production build that writes nothing; of the web app, or of what is given in its place. */
async function chunksOf(virtual: Record<string, string>): Promise<Rolldown.OutputChunk[]> {
  const given: Plugin = {
    name: 'given',
    resolveId: (id) => (id in virtual ? `\0${id}` : null),
    load: (id) => virtual[id.slice(1)] ?? null,
  }
  const input = Object.keys(virtual)
  const result = await build({
    root: web,
    logLevel: 'error',
    plugins: [given],
    build: { write: false, ...(input.length > 0 && { rolldownOptions: { input } }) },
  })
  const [{ output }] = [result].flat() as [Rolldown.RolldownOutput]
  return output.filter((file) => file.type === 'chunk')
}

function chunkOf(chunks: Rolldown.OutputChunk[], module: string): Rolldown.OutputChunk {
  const found =
    chunks.find((chunk) => chunk.facadeModuleId === module) ?? chunks.find((chunk) => module in chunk.modules)
  if (!found) throw new Error(`${module} is in no chunk.`)
  return found
}

/** Of the chunks and all they import at once. */
function sizeOf(all: Rolldown.OutputChunk[], chunks: Rolldown.OutputChunk[]): number {
  const reached = new Set(chunks)
  for (const chunk of reached) {
    for (const name of chunk.imports) {
      const imported = all.find(({ fileName }) => fileName === name)
      if (imported) reached.add(imported)
    }
  }
  return [...reached].reduce((sum, { code }) => sum + gzipSync(code).byteLength, 0)
}

function kilobytes(bytes: number): string {
  return (bytes / 1_000).toFixed(1)
}
