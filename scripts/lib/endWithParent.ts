/** `endWithParent.ts command …args`: runs a program, and ends it when the parent process has ended. */
import { spawn } from 'node:child_process'

const [command = '', ...args] = process.argv.slice(2)
const patience = 6_000

const program = spawn(command, args, { stdio: 'inherit' })
program.once('error', (error) => {
  console.error(`${command} did not start: ${error.message}`)
  process.exit(1)
})
program.once('exit', (code, signal) => {
  if (!signal) process.exit(code ?? 1)
  // End with the same signal, so that the parent sees why the program ended.
  process.removeAllListeners(signal)
  process.kill(process.pid, signal)
})

function end() {
  program.kill('SIGTERM')
  setTimeout(() => program.kill('SIGKILL'), patience)
}
// The channel to the parent closes whenever the parent ends.
process.once('disconnect', end)
process.once('SIGTERM', end)
