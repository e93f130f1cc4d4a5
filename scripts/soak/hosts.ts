import { execFile, spawnSync } from 'node:child_process'
import { mkdirSync } from 'node:fs'
import { promisify } from 'node:util'

const execute = promisify(execFile)

/** A machine, as far as its processes can tell: it has an address of its own, and lines that can be cut. */
export type Host = {
  name: string
  address: string
  /** Returns the words of a command that run it on this host. */
  wrap: (command: readonly string[]) => string[]
}

/** Addresses for tests of networks (RFC 2544). */
const prefix = '198.18.0'
/** Says that this process is alone in its network. */
const marker = 'SOAK_NETWORK'
const tools = ['unshare', 'ip', 'tc', 'iptables']

/** Returns hosts that are all this machine, without lines to cut. */
export function useThisMachine(): Pick<Hosts, 'own' | 'get'> {
  return { own: '127.0.0.1', get: (name) => ({ name, address: '127.0.0.1', wrap: (command) => [...command] }) }
}

/**
 * Runs the program of this process again in a network without lines to others, and ends with its result. All its
 * processes and hosts disappear with it, however it ends.
 */
export function enterOwnNetwork(): void {
  if (process.env[marker]) return
  const missing = tools.filter((tool) => spawnSync(tool, ['-V']).error)
  const problem =
    process.platform !== 'linux' || process.getuid?.() !== 0
      ? 'Hosts of their own are network namespaces: run this as root on Linux.'
      : missing.length > 0 && `${missing.join(', ')}: not found. Install util-linux, iproute2 and iptables.`
  if (problem) {
    console.error(problem)
    process.exit(1)
  }
  const own = ['--net', '--mount', '--pid', '--mount-proc', '--fork', '--kill-child']
  const program = [process.execPath, ...process.execArgv, ...process.argv.slice(1)]
  const { status } = spawnSync('unshare', [...own, ...program], {
    stdio: 'inherit',
    env: { ...process.env, [marker]: 'own' },
  })
  process.exit(status ?? 1)
}

export type Hosts = Awaited<ReturnType<typeof createHosts>>

/** Creates hosts as network namespaces, connected by a bridge. Call `enterOwnNetwork` first. */
export async function createHosts(names: readonly string[]) {
  if (!process.env[marker]) throw new Error('enterOwnNetwork() was not called.')
  const all = ['own', ...names]
  const addressOf = (name: string) => {
    if (!all.includes(name)) throw new Error(`There is no host ${name}.`)
    return `${prefix}.${all.indexOf(name) + 1}`
  }
  const wrap = (name: string, command: readonly string[]) =>
    name === 'own' ? [...command] : ['ip', 'netns', 'exec', name, ...command]
  const inHost = (name: string, ...command: string[]) => run(...wrap(name, command))

  mkdirSync('/run/netns', { recursive: true })
  await run('mount', '-t', 'tmpfs', 'none', '/run/netns')
  await run('ip', 'link', 'set', 'lo', 'up')
  await run('ip', 'link', 'add', 'switch', 'type', 'bridge')
  await run('ip', 'link', 'set', 'switch', 'up')
  for (const name of all) {
    const port = `port${all.indexOf(name)}`
    if (name !== 'own') await run('ip', 'netns', 'add', name)
    await run('ip', 'link', 'add', port, 'type', 'veth', 'peer', 'eth0', ...(name === 'own' ? [] : ['netns', name]))
    await run('ip', 'link', 'set', port, 'master', 'switch', 'up')
    await inHost(name, 'ip', 'address', 'add', `${addressOf(name)}/24`, 'dev', 'eth0')
    for (const line of ['lo', 'eth0']) await inHost(name, 'ip', 'link', 'set', line, 'up')
  }

  const changed = new Set<string>()
  async function drop(name: string, ...rule: string[]): Promise<void> {
    changed.add(name)
    await inHost(name, 'iptables', '-w', '-A', ...rule, '-j', 'DROP')
  }
  return {
    /** The address of this process. */
    own: addressOf('own'),
    get: (name: string): Host => ({ name, address: addressOf(name), wrap: (command) => wrap(name, command) }),
    /** Drops packets from one host that arrive at another; `own` is the host of this process. */
    cut: (from: string, to: string) => drop(to, 'INPUT', '-s', addressOf(from)),
    /** Drops this share of the packets that a host receives, and of those that it sends. */
    async lose(name: string, share: number) {
      const random = ['-m', 'statistic', '--mode', 'random', '--probability', String(share)]
      await drop(name, 'INPUT', '-i', 'eth0', ...random)
      await drop(name, 'OUTPUT', '-o', 'eth0', ...random)
    },
    /** Limits what a host sends, in kilobits a second. What would wait longer than 400 ms is dropped. */
    async narrow(name: string, kilobits: number) {
      changed.add(name)
      const queue = ['tbf', 'rate', `${kilobits}kbit`, 'burst', '4kb', 'latency', '400ms']
      await inHost(name, 'tc', 'qdisc', 'add', 'dev', 'eth0', 'root', ...queue)
    },
    /** Undoes `cut`, `lose` and `narrow`. */
    async heal() {
      for (const name of changed) {
        await inHost(name, 'iptables', '-w', '-F')
        // There is none if the line was not narrow.
        await inHost(name, 'tc', 'qdisc', 'del', 'dev', 'eth0', 'root').catch(() => undefined)
      }
      changed.clear()
    },
  }
}

async function run(...command: string[]): Promise<void> {
  const [program = '', ...args] = command
  await execute(program, args, { timeout: 10_000 })
}
