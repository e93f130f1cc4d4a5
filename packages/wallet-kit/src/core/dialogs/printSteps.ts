import { signInSteps } from '../signIn/signInSteps.ts'
import type { steps } from './steps.ts'

type Moves = (typeof steps)[keyof typeof steps]

/** Prints the table of the connect dialog as Markdown, for the documentation. */
export function printSteps(table: typeof steps): string {
  const all = Object.keys(table)
  const rows = new Map<string, { step: string[]; move: readonly [event: string, to: string] }>()
  for (const [step, moves] of Object.entries(table))
    for (const move of print(moves)) {
      const row = rows.get(move.join()) ?? { step: [], move }
      row.step.push(step)
      rows.set(move.join(), row)
    }
  const write = (cells: readonly string[]) => `| ${cells.join(' | ')} |`
  return [
    write(['in', 'on', 'to']),
    write(['---', '---', '---']),
    ...[...rows.values()].map(({ step, move }) =>
      write([step.length === all.length ? 'any step' : step.join(', '), ...move]),
    ),
  ].join('\n')
}

function print(moves: Moves): [event: string, to: string][] {
  return Object.entries(moves).map(([event, rules]) => [
    event,
    rules.map(({ to, when }) => (when ? `${to} if ${when}` : to)).join(', else '),
  ])
}

/** Prints the table of the sign-in dialog as Markdown, for the documentation. */
export function printSignInSteps(): string {
  const rules = Object.entries(signInSteps).map(([step, moves]) => [
    step,
    Object.fromEntries(Object.entries(moves).map(([event, to]) => [event, [{ to }]])),
  ])
  return printSteps(Object.fromEntries(rules))
}
