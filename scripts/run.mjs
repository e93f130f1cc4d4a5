// `node scripts/run.mjs start|test`: gets the Node and pnpm this repository is made with, installs, runs the script.
import { spawn, spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const node = '24.21.0'
const pnpm = '12.21.0'
const root = fileURLToPath(new URL('..', import.meta.url))
const windows = process.platform === 'win32'
const [task, ...args] = process.argv.slice(2)
const major = Number(process.versions.node.split('.')[0])

// Asked from inside npx: where the right Node is, and the PATH that leads to both.
if (task === '--where') {
  console.log(JSON.stringify([process.execPath, process.env.PATH]))
  process.exit()
}
if (major < 20) {
  console.error(`Lineage needs Node 20 or newer to start with, and this is ${process.version}: see https://nodejs.org.`)
  process.exit(1)
}

const [nodePath, path] = toolsAreHere() ? [process.execPath, process.env.PATH] : getTools()
process.env.PATH = path
process.env.TURBO_TELEMETRY_DISABLED = process.env.PONDER_TELEMETRY_DISABLED = '1'
process.env.STORYBOOK_DISABLE_TELEMETRY = process.env.DO_NOT_TRACK = '1'
// pnpm leaves a copy of the lock file it has installed.
if (read(`${root}pnpm-lock.yaml`) !== read(`${root}node_modules/.pnpm/lock.yaml`))
  run('pnpm', ['install', '--frozen-lockfile', '--config.confirmModulesPurge=false'], {
    stdio: ['ignore', 'inherit', 'inherit'],
  })

const child = spawn(nodePath, [`scripts/${task}.ts`, ...args], {
  cwd: root,
  stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
})
child.once('exit', (code, signal) => process.exit(code ?? (signal === 'SIGINT' ? 130 : 143)))
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal))
// npm killed outright says nothing; then the channel tells the child.
const launched = launcher()
if (process.env.npm_lifecycle_event)
  setInterval(() => launcher() !== launched && child.connected && child.disconnect(), 500)

/** Who started this: the parent, and where that is but the shell npm runs a script with, the parent's. */
function launcher() {
  const [, name, parent] = /\((.*)\) \S (\d+)/.exec(read(`/proc/${process.ppid}/stat`) || '') ?? []
  return `${process.ppid} ${/^(ba|da)?sh$/.test(name) ? parent : ''}`
}

function toolsAreHere() {
  if (major < 24) return false
  const { stdout } = spawnSync('pnpm', ['--version'], { cwd: root, encoding: 'utf8', shell: windows })
  return stdout?.startsWith('12.21.') ?? false
}

function getTools() {
  console.log(`Getting Node ${node} and pnpm ${pnpm} …`)
  const line = [
    '--yes',
    '--prefer-offline',
    '-p',
    `node@${node}`,
    '-p',
    `pnpm@${pnpm}`,
    '-c',
    'node scripts/run.mjs --where',
  ]
  return JSON.parse(run('npx', windows ? line.map((part) => (part.includes(' ') ? `"${part}"` : part)) : line))
}

function read(path) {
  return existsSync(path) && readFileSync(path, 'utf8')
}

function run(command, line, options) {
  const settings = { cwd: root, encoding: 'utf8', shell: windows, stdio: ['ignore', 'pipe', 'inherit'], ...options }
  const { status, stdout, error } = spawnSync(command, line, settings)
  if (status === 0) return stdout
  console.error(
    `\`${command}\` failed${error ? ` (${error.message})` : ''}. What it said is above; is the network there?`,
  )
  process.exit(status || 1)
}
