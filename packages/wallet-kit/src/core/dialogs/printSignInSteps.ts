import { signInSteps } from '../signIn/signInSteps.ts'
import { printSteps } from './printSteps.ts'

/** Prints the table of the sign-in dialog as Markdown, for the documentation. */
export function printSignInSteps(): string {
  const rules = Object.entries(signInSteps).map(([step, moves]) => [
    step,
    Object.fromEntries(Object.entries(moves).map(([event, to]) => [event, [{ to }]])),
  ])
  return printSteps(Object.fromEntries(rules))
}
