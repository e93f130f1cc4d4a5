/** `node scripts/run.mjs deploy FOLDER`: creates a folder with only the files that a server and a reader need. */
import { cpSync, existsSync, readdirSync, rmSync } from 'node:fs'
import { basename, join, resolve } from 'node:path'
import { runCommand } from './lib/runCommand.ts'

const root = join(import.meta.dirname, '..')
/** Files and folders that the processes read. pnpm needs the page's package.json, because the lock file names it. */
const needed = [
  ...['package.json', 'pnpm-workspace.yaml', 'pnpm-lock.yaml', 'tsconfig.base.json', 'LICENSE', 'scripts/run.mjs'],
  ...['apps/web/package.json', 'apps/web/dist', 'apps/server', 'apps/reader'],
  ...['communities', 'database', 'forest', 'referral-api', 'wallet-kit'].map((name) => `packages/${name}`),
]
const development = /^(node_modules|dist|test|bench|reports|coverage|\.turbo)$|\.(test|stories)\.tsx?$/

const [folder] = process.argv.slice(2)
if (!folder) end('Name the folder: node scripts/run.mjs deploy /opt/lineage')
const target = resolve(folder)
if (existsSync(target) && readdirSync(target).length > 0)
  end(`${target} is not empty. Name a new folder: the old one is what an undo goes back to.`)

await run('turbo', 'run', 'build', '--filter=@lineage/web', '--output-logs=errors-only', '--no-update-notifier')
for (const path of needed) {
  const source = join(root, path)
  const isNeeded = (file: string) => file === source || !development.test(basename(file))
  cpSync(source, join(target, path), { recursive: true, filter: isNeeded })
}
// The kit finds viem in the root. It is a peer dependency, installed only for the kit's development.
const parts = ['--public-hoist-pattern=viem', '--filter=@lineage/server...', '--filter=@lineage/reader...']
// PostgreSQL's programs are optional, and only `npm start` runs them.
const options = ['--prod', '--no-optional', '--frozen-lockfile', '--prefer-offline']
await run('pnpm', '--dir', target, 'install', ...options, ...parts)
// Without it, run.mjs knows that the packages are complete.
rmSync(join(target, 'pnpm-lock.yaml'))
console.log(`Lineage is in ${target}. To start it, see docs/production.md.`)

async function run(...command: string[]): Promise<void> {
  if ((await runCommand(command)) !== 0) end(`\`${command.join(' ')}\` failed. See its output above.`)
}

function end(message: string): never {
  console.error(message)
  process.exit(1)
}
