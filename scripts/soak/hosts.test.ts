import { spawnSync } from 'node:child_process'
import { afterAll, expect, test } from 'vitest'
import { createCleanUp } from '../lib/testing.ts'

/** Prints the addresses that the hosts see from each other; `-` where nothing arrives. */
const program = `
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createHosts, enterOwnNetwork } from '${import.meta.dirname}/hosts.ts'

enterOwnNetwork()
const names = ['a', 'b', 'c']
const hosts = await createHosts(names)
const start = (name, code) => {
  const [command, ...args] = hosts.get(name).wrap([process.execPath, '--input-type=module', '--eval', code])
  return spawn(command, args, { stdio: ['ignore', 'pipe', 'inherit'] })
}
const listen = \`
  import { createServer } from 'node:http'
  createServer(({ socket }, response) => response.end(socket.remoteAddress)).listen(8080, '0.0.0.0', () => console.log('listens'))\`
for (const name of names) await once(start(name, listen).stdout, 'data')

async function ask(from, to, patience) {
  const url = 'http://' + hosts.get(to).address + ':8080'
  const request = "const answer = await fetch('" + url + "', { signal: AbortSignal.timeout(" + patience + ") }).then((one) => one.text()).catch(() => '-');"
  const [said] = await once(start(from, request + ' console.log(answer)').stdout, 'data')
  return String(said).trim()
}
// Waits 30 s for an answer that should arrive, because the machine may be busy, and 2 s for one of the lost pairs.
async function look(step, lost = '') {
  const pairs = names.flatMap((from) => names.filter((to) => to !== from).map((to) => [from, to]))
  const seen = await Promise.all(pairs.map(async ([from, to]) => (await ask(from, to, lost.includes(from + to) ? 2_000 : 30_000)) === hosts.get(from).address ? from + to : '-'))
  console.log(step + ': ' + seen.filter((one) => one !== '-').join(' '))
  await hosts.heal()
}
await look('whole')
await hosts.cut('a', 'b')
await look('one way from a to b', 'ab ba')
await hosts.lose('c', 1)
await look('c loses everything', 'ac bc ca cb')
await hosts.narrow('a', 64)
await look('a is narrow')
const answer = await fetch('http://' + hosts.get('a').address + ':8080')
console.log('own: ' + ((await answer.text()) === hosts.own))
process.exit(0)
`
const made = createCleanUp()
afterAll(made.cleanUp)
const isRoot = process.getuid?.() === 0
const hasTools = ['unshare', 'ip', 'tc', 'iptables'].every((tool) => !spawnSync(tool, ['-V']).error)

test.runIf(isRoot && hasTools)('behavior: lines are cut one way, lose packets, become narrow, and are healed', () => {
  const { stdout, stderr } = spawnSync(process.execPath, [made.module(program)], { encoding: 'utf8', timeout: 100_000 })
  const whole = 'ab ac ba bc ca cb'
  expect(stderr).toBe('')
  expect(stdout.trim().split('\n')).toEqual([
    `whole: ${whole}`,
    // No answer of b reaches a if no packet of a reaches b, and the opposite.
    'one way from a to b: ac bc ca cb',
    'c loses everything: ab ba',
    `a is narrow: ${whole}`,
    'own: true',
  ])
  expect(spawnSync('ip', ['netns', 'list'], { encoding: 'utf8' }).stdout).toBe('')
})

test.skipIf(isRoot)('error: hosts without the rights of root', () => {
  const { status, stderr } = spawnSync(process.execPath, [made.module(program)], { encoding: 'utf8' })
  expect([status, stderr]).toEqual([1, 'Hosts of their own are network namespaces: run this as root on Linux.\n'])
})
