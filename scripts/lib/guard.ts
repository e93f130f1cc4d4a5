/** `guard.ts command …args`: runs a program that must end when the process that forked this one is gone. */
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
  // So that whoever forked this one sees what the program died of.
  process.removeAllListeners(signal)
  process.kill(process.pid, signal)
})

function end() {
  program.kill('SIGTERM')
  setTimeout(() => program.kill('SIGKILL'), patience)
}
process.once('disconnect', end)
process.once('SIGTERM', end)
