import { syncSchema } from './ponderInternals.ts'
import { type IndexSchema, listSchemas, removeSchema, schemaPattern } from './schemas.ts'

export type RunSchemasParameters = {
  url: string
  /** Schema of the given configuration. */
  current: string
  /** Arguments after `schemas`. */
  args: readonly string[]
  log: (message: string) => void
}

const uses = { filled: 'an indexer fills it', read: 'a replica reads it', unused: 'not in use' } as const

/**
 * Runs `schemas`, which lists the indexes of a database, or `schemas remove NAME`. Returns the reason if it was
 * refused.
 */
export async function runSchemas({ url, current, args, log }: RunSchemasParameters): Promise<string | undefined> {
  const [action, name = '', ...rest] = args
  if (action === undefined) {
    const found = await listSchemas(url)
    for (const one of found) log(formatSchema(one, current))
    if (!found.some((one) => one.name === current)) log(`${current}\n  of this configuration: not created yet`)
    log(`Data read from the nodes is in ${syncSchema}, which all indexes share.`)
    return undefined
  }
  if (action !== 'remove' || rest.length > 0 || !schemaPattern.test(name))
    return 'Use schemas, or schemas remove NAME with the whole name of one that it lists.'
  if (name === current) return `${name} is the schema of this configuration. To read it anew, use reread.`
  const result = await removeSchema(url, name)
  if (result === 'missing') return `There is no schema ${name}.`
  if (result !== 'removed') return `${name} is in use: ${uses[result]}. End that process first.`
  log(`${name} is removed. Data read from the nodes stays in ${syncSchema}, which all indexes share.`)
  return undefined
}

function formatSchema({ name, communities, events, size, block, use }: IndexSchema, current: string): string {
  const lines = [
    name === current ? 'of this configuration' : 'of another configuration',
    uses[use],
    communities.length > 0 ? `communities with events: ${communities.join(', ')}` : 'no final events',
    `${events.toLocaleString('en')} final events, ${(size / 1e6).toFixed(1)} MB`,
    block === null ? 'no block yet' : `newest block ${block}`,
  ]
  return [name, ...lines.map((line) => `  ${line}`)].join('\n')
}
