import { execFile } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)
const packages = join(import.meta.dirname, '../../packages')
export const examples = join(import.meta.dirname, '../../examples')

/** Returns the folders of `examples` that contain an example. */
export const listExamples = (): string[] =>
  readdirSync(examples, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && /^[a-z]/.test(entry.name) && entry.name !== 'node_modules')
    .map(({ name }) => name)

/**
 * Installs the examples with the built kit, packed as published.
 *
 * @param names - Names of the examples to install. Default: all.
 */
export async function installExamples(names: readonly string[] = listExamples()): Promise<void> {
  await packPackage('wallet-kit', join(examples, '.kit'))
  // Bundlers keep their output of an earlier kit with the same version.
  rmSync(join(examples, '.parcel-cache'), { recursive: true, force: true })
  for (const name of names)
    for (const cache of ['node_modules/.vite', '.next'])
      rmSync(join(examples, name, cache), { recursive: true, force: true })
  const filters = names.map((name) => `--filter=./${name}`)
  await run('pnpm', ['install', '--frozen-lockfile', '--prefer-offline', ...filters], { cwd: examples })
}

/** Packs a built package as published into `folder`, with its content in `package`. Returns the path of the tarball. */
export async function packPackage(name: string, folder: string): Promise<string> {
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  const options = { cwd: join(packages, name) }
  if (!existsSync(join(options.cwd, 'dist'))) throw new Error(`packages/${name} is not built. Run \`pnpm build\`.`)
  const { stdout } = await run('pnpm', ['pack', '--json', '--pack-destination', folder], options)
  const { filename } = JSON.parse(stdout) as { filename: string }
  await run('tar', ['xzf', filename, '-C', folder])
  return filename
}
