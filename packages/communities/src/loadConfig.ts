import { readFile, stat } from 'node:fs/promises'
import { extname, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Config } from './Community.ts'
import { ConfigError } from './ConfigError.ts'
import { parseConfig } from './parseConfig.ts'

/**
 * Reads the configuration from a JSON file, or from the default export of a TypeScript or JavaScript module.
 *
 * @example
 * const { communities } = await loadConfig('lineage.config.json')
 *
 * @throws {ConfigError} and no other error
 */
export async function loadConfig(path: string | undefined): Promise<Config> {
  if (!path) throw toConfigError('LINEAGE_CONFIG is not set: set it to the path of the configuration file')
  const file = resolve(path)
  let input: unknown
  try {
    if ((await stat(file)).isDirectory()) throw new Error('it is a directory. Name the file in it.')
    input =
      extname(file).toLowerCase() === '.json'
        ? // Some editors begin the file with a byte order mark, which JSON.parse rejects.
          JSON.parse((await readFile(file, 'utf8')).replace(/^\uFEFF/, ''))
        : ((await import(/* @vite-ignore */ pathToFileURL(file).href)) as { default?: unknown }).default
  } catch (cause) {
    throw toConfigError(`${path} cannot be read: ${cause instanceof Error ? cause.message : String(cause)}`, cause)
  }
  if (typeof input !== 'object' || input === null || Array.isArray(input))
    throw toConfigError(`${path} must hold an object { "communities": […] }, a module as its default export`)
  return parseConfig(input)
}

function toConfigError(reason: string, cause?: unknown): ConfigError {
  return new ConfigError([{ path: '', community: undefined, reason }], { cause })
}
