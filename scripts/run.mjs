// `node scripts/run.mjs start|test`: gets the right Node and pnpm, installs the packages, and runs the script.
import { spawn, spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const node = '24.21.0'
const pnpm = '12.21.0'
const root = fileURLToPath(new URL('..', import.meta.url))
const windows = process.platform === 'win32'
const [task, ...args] = process.argv.slice(2)
const major = Number(process.versions.node.split('.')[0])

// Runs inside npx, and prints where Node is, and the PATH with Node and pnpm.
if (task === '--where') {
  console.log(JSON.stringify([process.execPath, process.env.PATH]))
  process.exit()
}
if (major < 20) {
  console.error(`Lineage needs Node 20 or newer; this is ${process.version}. See https://nodejs.org.`)
  process.exit(1)
}

const [nodePath, path] = toolsAreHere() ? [process.execPath, process.env.PATH] : getTools()
process.env.PATH = path
process.env.TURBO_TELEMETRY_DISABLED = process.env.PONDER_TELEMETRY_DISABLED = '1'
process.env.STORYBOOK_DISABLE_TELEMETRY = process.env.DO_NOT_TRACK = '1'
// pnpm keeps a copy of the installed lock file.
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
// A killed npm sends no signal, so its end is noticed here, and the closed channel ends the child.
const launched = launcher()
if (process.env.npm_lifecycle_event)
  setInterval(() => launcher() !== launched && child.connected && child.disconnect(), 500)

/** Returns the id of the process that started this one, and of that one's parent if it is only the shell of npm. */
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
    `\`${command}\` failed${error ? ` (${error.message})` : ''}. See its output above, and check the network.`,
  )
  process.exit(status || 1)
}
