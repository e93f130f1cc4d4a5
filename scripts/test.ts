/** `npm test [-- step …]` and `pnpm test:all`: run every check, three at a time, even after a failure. */
import { globSync, readFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { runCommand } from './lib/runCommand.ts'
import {
  countPlaywright,
  countSizes,
  countVitest,
  labelOf,
  type Outcome,
  runSteps,
  type Step,
  sum,
} from './lib/runSteps.ts'
import { published } from './release/published.ts'

process.chdir(join(import.meta.dirname, '..'))
Object.assign(process.env, { TURBO_TELEMETRY_DISABLED: '1', STORYBOOK_DISABLE_TELEMETRY: '1', DO_NOT_TRACK: '1' })
// Tests start hundreds of processes of Node, each of which would compile the same modules.
process.env.NODE_COMPILE_CACHE ??= resolve('node_modules/.cache/compiled')

const turbo = ['turbo', 'run', '--output-logs=errors-only', '--no-update-notifier']
const vitest = (file: string, watchdog = resolve('scripts/vitest/Watchdog.ts')) => ({
  reporters: ['--reporter=default', `--reporter=${watchdog}`, '--reporter=json', `--outputFile.json=${file}`],
  report: { file, count: countVitest },
})

/** Returns the step of a package's unit tests. Paths are relative to it: arguments are part of turbo's cache key. */
function unitTests(folder: string): Step {
  const { reporters, report } = vitest('reports/unit.json', '../../scripts/vitest/Watchdog.ts')
  return {
    name: 'unit',
    of: folder,
    command: [...turbo, 'test:unit', `--filter=./${folder}`, '--', ...reporters],
    report: { ...report, file: join(folder, report.file) },
  }
}

/** Returns the step that tests a package as published. */
function packageTests(name: string): Step {
  const { reporters, report } = vitest(resolve(`reports/package-${name}.json`))
  const command = ['pnpm', '-F', `@lineage/${name}`, 'test:package', ...reporters]
  return { name: 'package', of: `packages/${name}`, command, report, after: ['page'] }
}

const scripts = vitest(resolve('reports/scripts.json'))
const stories = vitest(resolve('reports/stories.json'))
const examples = vitest(resolve('reports/examples.json'))

const first = ['packages/wallet-kit', 'apps/reader', 'apps/server', 'apps/web']
const others = globSync('{packages,apps}/*/package.json')
  .filter((file) => readFileSync(file, 'utf8').includes('"test:unit"'))
  .map(dirname)
  .filter((folder) => !first.includes(folder))

/** Other steps use the other cores: several checkers of one project would repeat a part of the work. */
const oneChecker = ['--checkers', '1']

/** Steps in the order of their start: what others wait for, then the longest, so that none of these ends alone. */
const steps: Step[] = [
  // The page with the packages that it imports. Other steps start from it, so it is built only once.
  { name: 'page', command: [...turbo, 'build', '--filter=@lineage/web...'] },
  // Installed once, before the steps that need it.
  { name: 'chromium', command: ['node', 'scripts/installBrowser.ts'] },
  unitTests('apps/reader'),
  { ...unitTests('packages/wallet-kit'), after: ['chromium'] },
  {
    name: 'browser',
    command: ['pnpm', 'test:browser'],
    env: { LINEAGE_REPORT: resolve('reports/browser.json') },
    report: { file: 'reports/browser.json', count: countPlaywright },
    after: ['page', 'chromium'],
  },
  {
    name: 'scripts',
    command: ['pnpm', 'test:scripts', ...scripts.reporters],
    report: scripts.report,
    after: ['page', 'chromium'],
  },
  // Takes about as long as the page is built, for which the step above waits.
  { name: 'lint', command: ['oxlint'] },
  {
    name: 'stories',
    command: ['pnpm', 'test:stories', ...stories.reporters],
    report: stories.report,
    after: ['chromium'],
  },
  unitTests('apps/server'),
  {
    name: 'examples',
    command: ['pnpm', '-F', '@lineage/wallet-kit', 'test:examples', ...examples.reporters],
    report: examples.report,
    after: ['page', 'chromium'],
  },
  unitTests('apps/web'),
  {
    name: 'types',
    of: 'packages, apps',
    command: [...turbo, 'typecheck', '--continue', '--concurrency=1', '--', ...oneChecker],
  },
  { name: 'build', command: [...turbo, 'build'], after: ['page'] },
  ...others.map(unitTests),
  { name: 'imports', command: ['pnpm', 'lint:imports'] },
  { name: 'unused', command: ['knip'] },
  { name: 'types', of: 'scripts', command: ['tsc', '-p', 'scripts', ...oneChecker] },
  { name: 'types', of: '.storybook', command: ['tsc', '-p', '.storybook', ...oneChecker] },
  ...published.map(packageTests),
  { name: 'format', command: ['biome', 'check', '.'] },
  {
    name: 'size',
    command: ['size-limit', '--json'],
    report: { file: 'reports/size.json', count: countSizes, from: 'stdout' },
    after: ['page'],
  },
  { name: 'licences', command: ['node', 'scripts/licences.ts'], after: ['page'] },
]

const chosen = chooseSteps(process.argv.slice(2))

const ending = new AbortController()
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP', 'disconnect'] as const) {
  process.once(signal, () => {
    ending.abort()
    process.exit(130)
  })
}

const startedAt = Date.now()
const outcomes = await runSteps(chosen, {
  // Most steps have two workers. More at a time end no earlier, and each test waits longer for a core.
  slots: 3,
  run: (command, options) => runCommand(command, { ...options, signal: ending.signal }),
  // The output of a single step is shown at once.
  logOf: (step) => (chosen.length > 1 ? `reports/logs/${labelOf(step).replace(/\W+/g, '-')}.log` : undefined),
  onStart: (step) => console.log(`  ${labelOf(step)} …`),
  onEnd(outcome) {
    if (outcome.counts.failed > 0) console.log(outcome.log)
    console.log(formatOutcome(outcome))
  },
})

const all = sum(outcomes.map(({ counts }) => counts))
const failed = outcomes.filter(({ counts }) => counts.failed > 0)
console.log(`\n${((Date.now() - startedAt) / 60_000).toFixed(1)} minutes`)
if (chosen.length > 1) for (const outcome of failed) console.log(formatOutcome(outcome))
console.log(`\n${all.passed} passed, ${all.failed} failed`)
// Otherwise the channel to run.mjs would keep this process alive.
process.exit(failed.length > 0 ? 1 : 0)

/** Returns the steps with these names, and the steps they depend on; without names, all steps. */
function chooseSteps(names: string[]): Step[] {
  const known = [...new Set(steps.map(({ name }) => name))]
  const unknown = names.find((name) => !known.includes(name))
  if (unknown) {
    console.error(`There is no step "${unknown}". Steps: ${known.join(', ')}.`)
    process.exit(1)
  }
  const before = steps.flatMap(({ name, after = [] }) => (names.includes(name) ? after : []))
  return steps.filter(({ name }) => names.length === 0 || [...names, ...before].includes(name))
}

/** Formats an outcome, `✓ unit packages/forest  84 passed, 0 failed, 31.2 s`, with the notes below it. */
function formatOutcome({ step, counts: { passed, failed, notes }, seconds }: Outcome): string {
  const line = `${failed > 0 ? '✗' : '✓'} ${labelOf(step).padEnd(28)} ${passed} passed, ${failed} failed, ${seconds.toFixed(1)} s`
  return [line, ...notes.map((note) => `    ${note}`)].join('\n')
}
