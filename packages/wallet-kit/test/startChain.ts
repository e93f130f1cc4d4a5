import { spawn } from 'node:child_process'
import { createRequire } from 'node:module'

/** Starts a local chain with BNB Smart Chain's id and anvil's accounts. */
export async function startChain(): Promise<{ rpcUrl: string; stop: () => void }> {
  const require = createRequire(import.meta.url)
  const fromAnvil = createRequire(require.resolve('@foundry-rs/anvil/package.json'))
  const platform = `${process.platform}-${process.arch === 'x64' ? 'amd64' : process.arch}`
  const binary = fromAnvil.resolve(`@foundry-rs/anvil-${platform}/bin/anvil`)
  const chain = spawn(binary, ['--port', '0', '--chain-id', '56'], { stdio: ['ignore', 'pipe', 'inherit'] })
  const rpcUrl = await new Promise<string>((resolve, reject) => {
    let output = ''
    chain.stdout?.on('data', (data) => {
      output += data
      const [, address] = /Listening on (\S+)/.exec(output) ?? []
      if (address) resolve(`http://${address}`)
    })
    chain.once('error', reject)
    chain.once('exit', () => reject(new Error(`anvil ended: ${output}`)))
  })
  return { rpcUrl, stop: () => void chain.kill() }
}
