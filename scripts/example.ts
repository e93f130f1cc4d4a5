/** `npm run example NAME`: builds the wallet kit, installs an example with the kit as published, and starts it. */
import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { examples, installExamples, listExamples } from './lib/installExamples.ts'
import { runCommand } from './lib/runCommand.ts'

const [name = '', ...args] = process.argv.slice(2)
if (!listExamples().includes(name)) {
  console.error(`Name an example: npm run example ${listExamples().join('|')}`)
  process.exit(1)
}
const build = ['turbo', 'run', 'build', '--filter=@lineage/wallet-kit']
if ((await runCommand([...build, '--output-logs=errors-only', '--no-update-notifier'])) !== 0) process.exit(1)
await installExamples([name])

const env = { ...process.env, NEXT_TELEMETRY_DISABLED: '1' }
const windows = process.platform === 'win32'
const app = spawn('pnpm', ['run', 'dev', ...args], { cwd: join(examples, name), env, stdio: 'inherit', shell: windows })
app.once('exit', (code) => process.exit(code ?? 130))
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => app.kill(signal))
// run.mjs has ended.
process.once('disconnect', () => app.kill())
