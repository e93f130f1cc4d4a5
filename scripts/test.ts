/** `npm test [-- step …]` and `pnpm test:all`: every check, one after the other, to the end, whatever fails. */
import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync, mkdirSync, openSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { findBrowser } from './lib/browser.ts'
import { type Counts, countPlaywright, countSizes, countVitest, sum, withRunner } from './lib/counts.ts'

type Step = { name: string; title: string; run: () => Promise<Counts> }

const root = join(import.meta.dirname, '..')
process.chdir(root)
Object.assign(process.env, { TURBO_TELEMETRY_DISABLED: '1', STORYBOOK_DISABLE_TELEMETRY: '1', DO_NOT_TRACK: '1' })

const vitestReporters = (file: string) => ['--reporter=default', '--reporter=json', `--outputFile.json=${file}`]
const turbo = ['turbo', 'run', '--continue', '--output-logs=errors-only', '--no-update-notifier']

const steps: Step[] = [
  { name: 'format', title: 'Format and lint', run: () => check('biome', 'check', '.') },
  { name: 'lint', title: 'Floating promises', run: () => check('oxlint') },
  { name: 'imports', title: 'Direction of imports', run: () => check('pnpm', 'lint:imports') },
  { name: 'unused', title: 'Unused code', run: () => check('knip') },
  {
    name: 'types',
    title: 'Types',
    run: async () =>
      sum([
        await check(...turbo, 'typecheck'),
        await check('tsc', '-p', 'scripts'),
        await check('tsc', '-p', '.storybook'),
      ]),
  },
  { name: 'unit', title: 'Unit tests', run: unitTests },
  { name: 'scripts', title: 'Tests of the scripts', run: scriptTests },
  { name: 'stories', title: 'Every story in a browser', run: storyTests },
  { name: 'build', title: 'Build', run: () => check(...turbo, 'build') },
  { name: 'package', title: 'The kit as it is published', run: packageTests },
  { name: 'size', title: 'Sizes', run: sizes },
  { name: 'browser', title: 'The product in a browser', run: browserTests },
]

let browser: Promise<Record<string, string>> | undefined
let current: ChildProcess | undefined
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP', 'disconnect'] as const) {
  process.once(signal, () => {
    current?.kill()
    process.exit(130)
  })
}

const asked = process.argv.slice(2)
const unknown = asked.find((name) => !steps.some((step) => step.name === name))
if (unknown) {
  console.error(`There is no step "${unknown}". Steps: ${steps.map(({ name }) => name).join(', ')}.`)
  process.exit(1)
}

const results: { step: Step; counts: Counts; seconds: string }[] = []
for (const step of steps) {
  if (asked.length > 0 && !asked.includes(step.name)) continue
  console.log(`\n━━ ${step.title} (${step.name})\n`)
  const startedAt = Date.now()
  const counts = await step.run().catch((error: unknown) => crashed(step.name, error))
  results.push({ step, counts, seconds: ((Date.now() - startedAt) / 1000).toFixed(1) })
}

console.log()
for (const { step, counts, seconds } of results) {
  const mark = counts.failed > 0 ? '✗' : '✓'
  console.log(`${mark} ${step.title.padEnd(26)} ${counts.passed} passed, ${counts.failed} failed, ${seconds} s`)
  for (const note of counts.notes) console.log(`    ${note}`)
}
const { passed, failed } = sum(results.map(({ counts }) => counts))
console.log(`\n${passed} passed, ${failed} failed`)
// The channel to run.mjs would keep this process alive.
process.exit(failed > 0 ? 1 : 0)

/** A tool that passes or fails as a whole. */
async function check(...command: string[]): Promise<Counts> {
  const code = await run(command)
  return code === 0
    ? { passed: 1, failed: 0, notes: [] }
    : { passed: 0, failed: 1, notes: [`\`${command.join(' ')}\` failed`] }
}

/** Two packages at once: the one waits for chains and databases while the other counts. */
async function unitTests(): Promise<Counts> {
  const packages = ['packages', 'apps']
    .flatMap((folder) => readdirSync(folder).map((name) => join(folder, name)))
    .filter((folder) => scriptsOf(folder)?.['test:unit'])
  const file = 'reports/unit.json'
  for (const folder of packages) rmSync(join(folder, file), { force: true })
  // Without a browser most of them still say something.
  const variables = await browserVariables().catch(() => ({}))
  const code = await run([...turbo, 'test:unit', '--concurrency=2', '--', ...vitestReporters(file)], variables)
  const all = packages.map((folder) => {
    const counts = read(join(folder, file), countVitest)
    return withRunner(`the tests of ${folder}`, { code: 0, counts })
  })
  return withRunner('turbo run test:unit', { code, counts: sum(all) })
}

async function scriptTests(): Promise<Counts> {
  const file = join(root, 'reports/scripts.json')
  rmSync(file, { force: true })
  const code = await run(['pnpm', 'test:scripts', ...vitestReporters(file)])
  return withRunner('the tests of scripts', { code, counts: read(file, countVitest) })
}

/** Of what `pnpm pack` makes of the build. */
async function packageTests(): Promise<Counts> {
  const file = join(root, 'packages/wallet-kit/reports/package.json')
  rmSync(file, { force: true })
  const variables = await browserVariables()
  const code = await run(['pnpm', '-F', '@lineage/wallet-kit', 'test:package', ...vitestReporters(file)], variables)
  return withRunner('the tests of the package', { code, counts: read(file, countVitest) })
}

/** Each budget counts. */
async function sizes(): Promise<Counts> {
  const file = join(root, 'reports/size.json')
  rmSync(file, { force: true })
  // The kit is measured as it is published.
  const built = await run([...turbo, 'build', '--filter=@lineage/wallet-kit'])
  const code = built || (await run(['size-limit', '--json'], {}, file))
  return withRunner('size-limit', { code, counts: read(file, countSizes) })
}

async function storyTests(): Promise<Counts> {
  const variables = await browserVariables()
  const file = join(root, 'reports/stories.json')
  rmSync(file, { force: true })
  const code = await run(['pnpm', 'test:stories', ...vitestReporters(file)], variables)
  return withRunner('the stories', { code, counts: read(file, countVitest) })
}

async function browserTests(): Promise<Counts> {
  const variables = await browserVariables()
  const file = join(root, 'reports/browser.json')
  rmSync(file, { force: true })
  const code = await run(['pnpm', 'test:browser'], { ...variables, LINEAGE_REPORT: file })
  return withRunner('the browser tests', { code, counts: read(file, countPlaywright) })
}

/** Looked for, and if need be installed, once, before tests that run side by side would each do so. */
function browserVariables(): Promise<Record<string, string>> {
  browser ??= findBrowser().then(({ executablePath }) => ({ CHROMIUM_PATH: executablePath }))
  return browser
}

function crashed(name: string, error: unknown): Counts {
  console.error(error)
  return { passed: 0, failed: 1, notes: [`${name}: ${error instanceof Error ? error.message : error}`] }
}

function read<report>(file: string, count: (report: report) => Counts): Counts | undefined {
  return existsSync(file) ? count(JSON.parse(readFileSync(file, 'utf8')) as report) : undefined
}

function scriptsOf(folder: string): Record<string, string> | undefined {
  const file = join(folder, 'package.json')
  return existsSync(file)
    ? (JSON.parse(readFileSync(file, 'utf8')) as { scripts?: Record<string, string> }).scripts
    : undefined
}

/** @param output Where its standard output goes instead of the terminal. */
function run(
  [command = '', ...args]: string[],
  variables: Record<string, string> = {},
  output?: string,
): Promise<number> {
  if (output) mkdirSync(dirname(output), { recursive: true })
  const path = [join(root, 'node_modules/.bin'), process.env.PATH].join(process.platform === 'win32' ? ';' : ':')
  const child = spawn(command, args, {
    stdio: ['ignore', output ? openSync(output, 'w') : 'inherit', 'inherit'],
    shell: process.platform === 'win32',
    env: { ...process.env, PATH: path, ...variables },
    timeout: 22 * 60_000,
  })
  current = child
  return new Promise((resolve) => {
    child.once('error', (error) => {
      console.error(`\`${command}\` did not start: ${error.message}`)
      resolve(1)
    })
    child.once('exit', (code) => resolve(code ?? 1))
  })
}
