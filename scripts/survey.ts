/**
 * `pnpm survey FILE`: says how many families of a survey of referral contracts can be read. FILE is a table in Markdown whose
 * rows say how a contract binds, what it emits and which view it has. From each row the smallest contract with that
 * behaviour is made and played on a local chain, configured by `inspect` from its address alone, and read; every
 * referrer is compared with the contract at the newest block.
 *
 * `pnpm survey FILE 17,25` takes these rows only.
 */
import { readFile } from 'node:fs/promises'
import { parseFamilies } from './survey/families.ts'
import { type Outcome, runSurvey } from './survey/runSurvey.ts'

const [file, numbers] = process.argv.slice(2)
if (file === undefined || file.startsWith('--')) {
  console.error('Say which table to read: pnpm survey FILE.')
  process.exit(1)
}
const wanted = numbers?.split(',')
const families = parseFamilies(await readFile(file, 'utf8')).filter(({ number }) => wanted?.includes(number) ?? true)
const outcomes = await runSurvey(families, (text) => console.log(new Date().toISOString().slice(11, 19), text))
console.log(describe(outcomes))
process.exit(0)

type Result = 'logs' | 'file' | 'left'

/** Returns whether a family is read right, and whether its logs suffice. */
function resultOf({ by, wrong }: Outcome): Result {
  return by === undefined || wrong > 0 ? 'left' : by
}

function describe(outcomes: readonly Outcome[]): string {
  const rows = outcomes.map(describeOne)
  const classes = [...new Set(outcomes.map(({ family }) => family.before))].sort().map((before) => {
    const own = outcomes.filter(({ family }) => family.before === before)
    return `| ${before} | ${own.length} | ${(['logs', 'file', 'left'] as const).map((one) => countOf(own, one)).join(' | ')} |`
  })
  const total = (['logs', 'file', 'left'] as const).map((result) => share(outcomes, result))
  return [
    '| row | before | now | members | wrong | assumed | why |',
    '| --- | --- | --- | --- | --- | --- | --- |',
    ...rows,
    '',
    '| class before | families | read by logs | with a file of addresses or calldata | left |',
    '| --- | --- | --- | --- | --- |',
    ...classes,
    `| all | ${outcomes.length} | ${total.join(' | ')} |`,
  ].join('\n')
}

function describeOne(outcome: Outcome): string {
  const { family, members, wrong, reason } = outcome
  const cells = [family.number, family.before, resultOf(outcome), members, wrong, family.assumptions.join('; '), reason]
  return `| ${cells.join(' | ')} |`
}

function countOf(outcomes: readonly Outcome[], result: Result): number {
  return outcomes.filter((outcome) => resultOf(outcome) === result).length
}

function share(outcomes: readonly Outcome[], result: Result): string {
  const deployments = (list: readonly Outcome[]) => list.reduce((sum, { family }) => sum + family.deployments, 0)
  const own = outcomes.filter((outcome) => resultOf(outcome) === result)
  const percent = (part: number, whole: number) => `${((100 * part) / whole).toFixed(1)} %`
  return `${own.length} (${percent(own.length, outcomes.length)}, ${percent(deployments(own), deployments(outcomes))} of the deployments)`
}
