import { readFileSync } from 'node:fs'
import { parseArgs } from 'node:util'

type Option = number | string | boolean
type Widened<value> = value extends number ? number : value extends string ? string : boolean

/**
 * Reads the options of this command, each of the type of its default. `--help` prints the docblock at the head of the command's file, and so
 * does an option that it does not have, or a value of another type.
 *
 * @example const { runs, json } = readOptions({ runs: 9, json: false })
 */
export function readOptions<const defaults extends Record<string, Option>>(defaults: defaults) {
  const options = Object.fromEntries(
    Object.entries({ ...defaults, help: false }).map(([name, fallback]) => {
      return [name, { type: typeof fallback === 'boolean' ? 'boolean' : 'string' } as const]
    }),
  )
  try {
    const { values } = parseArgs({ options })
    if (values.help) {
      console.log(usage())
      process.exit()
    }
    return Object.fromEntries(
      Object.entries(defaults).map(([name, fallback]) => [name, toOption(name, fallback, values[name])]),
    ) as { [name in keyof defaults]: Widened<defaults[name]> }
  } catch (error) {
    console.error(`${(error as Error).message}\n\n${usage()}`)
    process.exit(1)
  }
}

function toOption(name: string, fallback: Option, given: string | boolean | undefined): Option {
  if (given === undefined || typeof fallback !== 'number') return given ?? fallback
  const number = given === '' ? Number.NaN : Number(given)
  if (number >= 0 && number < Number.POSITIVE_INFINITY) return number
  throw new Error(`--${name} takes a number.`)
}

/** Returns the docblock at the head of the command's file. */
function usage(): string {
  const [, docblock = ''] = /\/\*\*\n(.*?)\n \*\//s.exec(readFileSync(process.argv[1] ?? '', 'utf8')) ?? []
  return docblock.replaceAll(/^ \* ?/gm, '')
}
