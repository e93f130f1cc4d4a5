/** `runChain.ts port timestamp`: runs anvil, and ends it when the parent process has ended. */
import { startAnvil } from '../demo-chain/anvil.ts'

const [port, timestamp] = process.argv.slice(2).map(Number)

try {
  const anvil = await startAnvil({ port: port ?? 8545, ...(timestamp !== undefined && { timestamp }) })
  const stop = () => void anvil.stop()
  process.once('disconnect', stop)
  process.once('SIGTERM', stop)
  // The channel may have closed while anvil was starting.
  if (!process.connected) stop()
  process.send?.({ type: 'answers' })
  await anvil.exited
  process.exit(1)
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exit(1)
}
