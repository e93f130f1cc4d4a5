import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { expect, test } from 'vitest'
import { freePort, isRunning } from '../vitest/freePort.ts'
import { startAnvil } from './anvil.ts'

test('error: a taken port names itself and RPC_PORT', async () => {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  await expect(startAnvil({ port })).rejects.toThrow(new RegExp(`Port ${port} .*in use.*RPC_PORT`, 's'))
  server.close()
})

test('behavior: stop ends the process and frees the port', async () => {
  const port = await freePort()
  const chain = await startAnvil({ port, timestamp: 1_700_000_000 })
  expect(() => process.kill(chain.pid, 0)).not.toThrow()
  await chain.stop()
  await chain.exited
  expect(() => process.kill(chain.pid, 0)).toThrow(/ESRCH/)
  const again = await startAnvil({ port })
  await again.stop()
})

test('error: a host of another machine, with the reason', async () => {
  await expect(startAnvil({ port: await freePort(), host: '203.0.113.1' })).rejects.toThrow(
    /cannot be used .*EADDRNOTAVAIL/,
  )
})

test('behavior: the chain ends when the process that started it is killed', async () => {
  const file = JSON.stringify(new URL('anvil.ts', import.meta.url).href)
  const code = `const { startAnvil } = await import(${file}); console.log((await startAnvil({ port: ${await freePort()} })).pid)`
  const starter = spawn(process.execPath, ['--input-type=module', '-e', code], { stdio: ['ignore', 'pipe', 'inherit'] })
  const [output] = await once(starter.stdout, 'data')
  const pid = Number(output)
  expect(isRunning(pid)).toBe(true)
  starter.kill('SIGKILL')
  await expect.poll(() => isRunning(pid)).toBe(false)
})
