// `node scripts/run.mjs start|test|example|deploy|server|reader|inspect|accounts`: finds the right Node, installs the packages, and runs
// the program.
import { spawn, spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { fileURLToPath } from 'node:url'

const node = '24.21.0'
const pnpm = '12.21.0'
const root = fileURLToPath(new URL('..', import.meta.url))
const windows = process.platform === 'win32'
const [task, ...given] = process.argv.slice(2)
// The inspection of a contract is a command of the reader.
const args = task === 'inspect' ? [task, ...given] : given
const major = Number(process.versions.node.split('.')[0])
/** These run in the folder of the caller. All other tasks are scripts that run in the root. */
const programs = {
  server: 'apps/server/src/main.ts',
  reader: 'apps/reader/src/main.ts',
  inspect: 'apps/reader/src/main.ts',
  accounts: 'apps/server/src/accounts/accounts.ts',
  deploy: 'scripts/deploy.ts',
}
const program = Object.hasOwn(programs, task) ? programs[task] : undefined
// A folder made by `deploy` has no lock file: its packages are complete.
const isDeployed = !existsSync(`${root}pnpm-lock.yaml`)

const scriptOf = (name) => `${root}${programs[name] ?? `scripts/${name}.ts`}`
if (task !== '--where' && !existsSync(scriptOf(task))) {
  // A folder made by `deploy` has only the programs.
  const names = [...Object.keys(programs), 'start', 'test', 'example'].filter((name) => existsSync(scriptOf(name)))
  console.error(`Unknown command "${task ?? ''}": use ${names.join(', ')}.`)
  process.exit(1)
}

// Runs inside npx: prints the path of Node, and the PATH with Node and pnpm.
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
// With more arenas, the C library keeps twice as much of the memory that the threads of the server have freed.
process.env.MALLOC_ARENA_MAX ??= '2'
process.env.TURBO_TELEMETRY_DISABLED = '1'
process.env.STORYBOOK_DISABLE_TELEMETRY = process.env.DO_NOT_TRACK = '1'
// Node stores compiled code there, and starts faster the next time.
process.env.NODE_COMPILE_CACHE ??= `${root}node_modules/.cache/node`
// Paths refer to the folder of the caller, which npm names.
const folder = (process.env.npm_lifecycle_event === task && process.env.INIT_CWD) || '.'
for (const name of ['LINEAGE_CONFIG', 'LINEAGE_HISTORY'])
  if (process.env[name]) process.env[name] = resolve(folder, process.env[name])
useProxy()
// pnpm keeps a copy of the installed lock file.
if (!isDeployed && read(`${root}pnpm-lock.yaml`) !== read(`${root}node_modules/.pnpm/lock.yaml`))
  run('pnpm', ['install', '--frozen-lockfile', '--config.confirmModulesPurge=false'], {
    stdio: ['ignore', 'inherit', 'inherit'],
  })

// Most objects of the server live as long as a request: with more room for them, Node frees them too late under load.
const flags = ['--conditions=@lineage/source', ...(task === 'server' ? ['--max-semi-space-size=8'] : [])]
const child = spawn(nodePath, [...flags, scriptOf(task), ...args], {
  cwd: program ? folder : root,
  stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
})
child.once('exit', (code, signal) => process.exit(code ?? (signal === 'SIGINT' ? 130 : 143)))
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal))
// A killed npm sends no signal. This process detects its end and exits, and the closed channel ends the child.
const launched = launcher()
if (process.env.npm_lifecycle_event)
  setInterval(() => launcher() !== launched && child.connected && child.disconnect(), 500)

/** Returns the id of the parent process, and that of its parent if the first is only npm's shell. */
function launcher() {
  const [, name, parent] = /\((.*)\) \S (\d+)/.exec(read(`/proc/${process.ppid}/stat`) || '') ?? []
  return `${process.ppid} ${/^(ba|da)?sh$/.test(name) ? parent : ''}`
}

/** Makes all programs use the proxy of HTTP_PROXY and HTTPS_PROXY, except between each other. */
function useProxy() {
  const { env } = process
  const proxies = ['HTTP_PROXY', 'HTTPS_PROXY', 'http_proxy', 'https_proxy'].filter((name) => env[name])
  if (proxies.length === 0) return
  const invalid = proxies.find((name) => !/^https?:$/.test(URL.canParse(env[name]) && new URL(env[name]).protocol))
  if (invalid) {
    console.error(`${invalid} must be the http(s) URL of a proxy, such as http://proxy.example:3128.`)
    process.exit(1)
  }
  env.NODE_USE_ENV_PROXY = '1'
  const direct = env.no_proxy || env.NO_PROXY
  env.no_proxy = env.NO_PROXY = [...(direct ? [direct] : []), 'localhost', '127.0.0.1', '[::1]'].join()
}

function toolsAreHere() {
  if (major < 24) return false
  if (isDeployed) return true
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
