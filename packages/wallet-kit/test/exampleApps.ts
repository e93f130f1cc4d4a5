import { join } from 'node:path'
import { build } from 'vite'
import { expect, onTestFinished } from 'vitest'
import { examples } from '../../../scripts/lib/installExamples.ts'
import { startChild, withParent } from '../../../scripts/lib/startChild.ts'
import { freePort } from '../../../scripts/vitest/freePort.ts'

/** Starts a script of an example, which runs until the end of the test. Resolves with its address once it answers. */
export async function startExample(name: string, script: string, env: Record<string, string>): Promise<string> {
  const port = await freePort()
  const url = `http://localhost:${port}`
  const app = startChild({
    ...withParent('pnpm', ['run', script, '--port', String(port)]),
    cwd: join(examples, name),
    env: { ...environment, ORIGIN: url, ...env },
    logFile: join(import.meta.dirname, `../reports/examples/${name}-${script}.log`),
  })
  onTestFinished(() => app.stop())
  const ended = app.ended.then(() => Promise.reject(new Error(`${name} ended:\n${app.tail().join('\n')}`)))
  const answers = () =>
    fetch(url).then(
      ({ ok }) => ok,
      () => false,
    )
  await Promise.race([ended, expect.poll(answers).toBe(true)])
  return url
}

/** The environment of a user who has just installed an example, without the `NODE_ENV` that Vitest sets. */
export const environment = { ...process.env, NODE_ENV: undefined, NEXT_TELEMETRY_DISABLED: '1' }

/** Builds a script that announces a scripted wallet with a key, like an extension in every page. */
export async function buildWallet(privateKey: string): Promise<string> {
  const entry = '\0wallet'
  const source = `
    import { announceWallet, createScriptedWallet } from '@lineage/wallet-kit/testing'
    // A wallet remembers the pages that may see its account.
    const authorized = 'walletKit.v1.connection' in localStorage
    const { provider } = createScriptedWallet({ privateKey: '${privateKey}', authorized })
    announceWallet({ info: { name: 'MetaMask', rdns: 'io.metamask' }, provider })
  `
  const built = await build({
    root: join(examples, 'node'),
    configFile: false,
    logLevel: 'error',
    plugins: [
      {
        name: 'wallet',
        resolveId: (id) => (id === entry ? entry : undefined),
        load: (id) => (id === entry ? source : undefined),
      },
    ],
    build: { write: false, rolldownOptions: { input: entry, output: { format: 'iife', codeSplitting: false } } },
  })
  const [script] = [built].flat().flatMap((it) => ('output' in it ? it.output : []))
  if (script?.type !== 'chunk') throw new Error('The build has no script.')
  return script.code
}
