import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { createServer } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'

/**
 * Parameters of `startAnvil`.
 *
 * @example `const chain = await startAnvil({ port: 8545, timestamp: firstTimestamp(now) })`
 */
export type StartAnvilParameters = {
  port: number
  /** Default `127.0.0.1`. */
  host?: string
  /** Default 56. */
  chainId?: number
  /** Time of the genesis block, in Unix seconds; later blocks are never older. Default: the current time. */
  timestamp?: number
}

export type Anvil = {
  rpcUrl: string
  pid: number
  /** Settles when the process has ended. */
  exited: Promise<void>
  stop(): Promise<void>
}

const startTimeout = 20_000

/** Returns the path of the binary. Killing its JavaScript wrapper instead would leave the chain running. */
export function anvilBinary(): string {
  const { platform, arch } = process
  const name = `@foundry-rs/anvil-${platform}-${arch === 'x64' ? 'amd64' : arch}`
  const fromAnvil = createRequire(createRequire(import.meta.url).resolve('@foundry-rs/anvil/package.json'))
  try {
    const binary = fromAnvil.resolve(`${name}/bin/${platform === 'win32' ? 'anvil.exe' : 'anvil'}`)
    if (existsSync(binary)) return binary
  } catch {
    // The error below says what to do.
  }
  throw new Error(
    `The demo chain needs anvil, and its package ${name} is not installed. Run the installation again, or set LINEAGE_CONFIG to use a real chain.`,
  )
}

/** Starts a local chain and waits until it answers. */
export async function startAnvil(parameters: StartAnvilParameters): Promise<Anvil> {
  const { port, host = '127.0.0.1', chainId = 56 } = parameters
  await assertPortFree(port, host)
  const chain = spawnAnvil({ ...parameters, host, chainId })
  const rpcUrl = `http://${host}:${port}`
  const deadline = Date.now() + startTimeout
  for (;;) {
    if (await answers(rpcUrl, chainId)) return { rpcUrl, pid: chain.pid, exited: chain.exited, stop: chain.stop }
    const isEnded = await Promise.race([chain.exited.then(() => true), delay(40, false)])
    if (isEnded)
      throw new Error(`The demo chain (anvil) ended before it answered on ${rpcUrl}. ${chain.complaint()}`.trim())
    if (Date.now() > deadline) {
      await chain.stop()
      throw new Error(`The demo chain (anvil) did not answer on ${rpcUrl} within ${startTimeout / 1000} s.`)
    }
  }
}

/** Starts the process, which ends with this one. */
function spawnAnvil({ port, host, chainId, timestamp }: StartAnvilParameters & { host: string; chainId: number }) {
  const argv = ['--port', `${port}`, '--host', host, '--chain-id', `${chainId}`]
  // If only the newest states are kept, a block costs a few KB, so the chain can run for weeks: reads at a block work
  // for the last 16 blocks, about 48 s. Blocks, transactions and logs are all kept.
  argv.push('--prune-history', '16', '--gas-limit', '300000000', '--quiet')
  if (timestamp !== undefined) argv.push('--timestamp', `${timestamp}`)
  const child = spawn(anvilBinary(), argv, { stdio: ['ignore', 'ignore', 'pipe'] })

  let complaint = ''
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    complaint = (complaint + text).slice(-2_000)
  })
  const exited = new Promise<void>((resolve) => {
    child.once('error', (error) => {
      complaint = error.message
      resolve()
    })
    child.once('exit', () => resolve())
  })
  const killWithParent = () => child.kill('SIGKILL')
  process.once('exit', killWithParent)
  const release = killWhenParentEnds(child.pid)
  void exited.then(() => {
    process.off('exit', killWithParent)
    release()
  })

  async function stop(): Promise<void> {
    child.kill('SIGTERM')
    const force = setTimeout(() => child.kill('SIGKILL'), 3_000)
    await exited
    clearTimeout(force)
  }
  return { pid: child.pid ?? 0, exited, stop, complaint: () => complaint.trim() }
}

/**
 * Starts a shell that kills the chain when this process ends, even by SIGKILL, because the shell's input closes then.
 * Returns a function that ends the shell. Windows has no such shell: there the chain keeps running after a SIGKILL.
 */
function killWhenParentEnds(pid: number | undefined): () => void {
  if (pid === undefined || process.platform === 'win32') return () => {}
  const shell = spawn('sh', ['-c', 'read -r word; [ "$word" = release ] || kill -9 "$1"', 'sh', `${pid}`], {
    stdio: ['pipe', 'ignore', 'ignore'],
    // In its own process group, so that Ctrl+C in a terminal does not end it first.
    detached: true,
  })
  shell.on('error', () => {})
  shell.stdin.on('error', () => {})
  shell.unref()
  return () => shell.stdin.end('release\n')
}

async function answers(rpcUrl: string, chainId: number): Promise<boolean> {
  try {
    const response = await fetch(rpcUrl, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'eth_chainId', params: [] }),
      signal: AbortSignal.timeout(2_000),
    })
    const answer = (await response.json()) as { result?: string }
    return Number(answer.result) === chainId
  } catch {
    return false
  }
}

/** Checks that another program cannot answer instead of anvil. @throws when the port is taken */
async function assertPortFree(port: number, host: string): Promise<void> {
  const server = createServer()
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      const why = error.code === 'EADDRINUSE' ? 'is in use by another process' : `cannot be used (${error.message})`
      const message = `Port ${port} on ${host}, meant for the demo chain, ${why}. Stop that process, or choose another port with RPC_PORT, for example RPC_PORT=${port + 1} npm start.`
      reject(new Error(message, { cause: error }))
    })
    server.listen({ port, host, exclusive: true }, () => server.close(() => resolve()))
  })
}
