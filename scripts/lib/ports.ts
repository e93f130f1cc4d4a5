import { createServer } from 'node:net'

export type PortUse = { variable: 'PORT' | 'LINEAGE_READER_PORT' | 'RPC_PORT'; port: number; purpose: string }

/** Returns whether a program listens on the port, on any address of this machine. */
export async function isTaken(port: number): Promise<boolean> {
  for (const host of ['127.0.0.1', '::1', '::']) if (await refuses(port, host)) return true
  return false
}

function refuses(port: number, host: string): Promise<boolean> {
  const server = createServer()
  return new Promise((resolve) => {
    server.once('error', ({ code }: NodeJS.ErrnoException) => resolve(code === 'EADDRINUSE' || code === 'EACCES'))
    server.listen({ port, host, exclusive: true }, () => server.close(() => resolve(false)))
  })
}

/** Returns the next port that is free and not in `claimed`. */
export async function nextFree(from: number, claimed: readonly number[] = []): Promise<number> {
  for (let port = from; port < 65_536; port++) if (!claimed.includes(port) && !(await isTaken(port))) return port
  throw new Error(`There is no free port from ${from} on.`)
}

/**
 * Returns the message about taken ports, with a command to copy; `undefined` when all are free.
 *
 * @example await portsMessage([{ variable: 'PORT', port: 5173, purpose: 'the page' }])
 */
export async function portsMessage(uses: PortUse[]): Promise<string | undefined> {
  const twice = uses.find(({ port }, index) => uses.findIndex((other) => other.port === port) !== index)
  if (twice)
    return `${uses
      .filter(({ port }) => port === twice.port)
      .map(({ variable }) => variable)
      .join(' and ')} are both ${twice.port}. Give each its own.`
  const taken: PortUse[] = []
  for (const use of uses) if (await isTaken(use.port)) taken.push(use)
  if (taken.length === 0) return undefined

  const free: number[] = []
  for (const { port } of uses) free.push(await nextFree(taken.some((use) => use.port === port) ? port + 1 : port, free))
  const said = taken.map(
    ({ variable, port, purpose }) => `Port ${port}, for ${purpose} (${variable}), is taken by another program.`,
  )
  return [
    ...said,
    'Use others:',
    '',
    `  ${withVariables(uses.map(({ variable }, index) => [variable, String(free[index])]))}`,
  ].join('\n')
}

function withVariables(values: [string, string][]): string {
  if (process.platform === 'win32')
    return [...values.map(([name, value]) => `set "${name}=${value}"`), 'npm start'].join(' && ')
  return [...values.map(([name, value]) => `${name}=${value}`), 'npm start'].join(' ')
}
