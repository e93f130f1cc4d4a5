import { readFile, stat } from 'node:fs/promises'
import { extname, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { ConfigError } from './ConfigError.ts'
import { type Config, parseConfig } from './parseConfig.ts'

/**
 * Reads the configuration from a JSON file, or from the default export of a TypeScript or JavaScript module.
 *
 * @example
 * const { communities } = await loadConfig('lineage.config.json')
 *
 * @throws {ConfigError} and nothing else
 */
export async function loadConfig(path: string | undefined): Promise<Config> {
  if (!path) throw refuse('LINEAGE_CONFIG is not set: it is the path of the file that names the communities')
  const file = resolve(path)
  let input: unknown
  try {
    if ((await stat(file)).isDirectory()) throw new Error('it is a directory; name the file in it')
    input =
      extname(file).toLowerCase() === '.json'
        ? // Some editors put a byte order mark first, which is no JSON.
          JSON.parse((await readFile(file, 'utf8')).replace(/^\uFEFF/, ''))
        : ((await import(/* @vite-ignore */ pathToFileURL(file).href)) as { default?: unknown }).default
  } catch (cause) {
    throw refuse(`${path} cannot be read: ${cause instanceof Error ? cause.message : String(cause)}`, cause)
  }
  if (typeof input !== 'object' || input === null || Array.isArray(input))
    throw refuse(`${path} must hold an object { "communities": […] }; a module, as its default export`)
  return parseConfig(input)
}

function refuse(reason: string, cause?: unknown): ConfigError {
  return new ConfigError([{ path: '', community: undefined, reason }], { cause })
}
