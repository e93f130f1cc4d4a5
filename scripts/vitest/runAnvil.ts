import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { anvilBinary } from '../demo-chain/anvil.ts'

export type Anvil = { url: string; stop: () => Promise<void> }

/** Starts anvil on a free port, with BNB Smart Chain's id. It ends with this process at the latest. */
export async function runAnvil(args: string[] = []): Promise<Anvil> {
  const anvil = spawn(anvilBinary(), ['--port', '0', '--chain-id', '56', ...args], {
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const ended = once(anvil, 'exit')
  const kill = () => void anvil.kill('SIGKILL')
  process.once('exit', kill)
  void ended.then(() => process.off('exit', kill))
  let output = ''
  const listens = new Promise<string>((resolve) => {
    for (const stream of [anvil.stdout, anvil.stderr])
      stream.setEncoding('utf8').on('data', (text: string) => {
        output = (output + text).slice(-10_000)
        const [, address] = /Listening on (\S+)/.exec(output) ?? []
        if (address) resolve(`http://${address}`)
      })
  })
  const url = await Promise.race([listens, ended.then(() => Promise.reject(new Error(`anvil ended: ${output}`)))])
  return {
    url,
    async stop() {
      anvil.kill('SIGKILL')
      await ended
    },
  }
}
