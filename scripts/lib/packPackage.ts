import { execFile } from 'node:child_process'
import { mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)
const packages = join(import.meta.dirname, '../../packages')

/**
 * Packs a built package as published. Replaces `folder`, which then contains the tarball, and its content in `package`.
 * Returns the path of the tarball.
 */
export async function packPackage(name: string, folder: string): Promise<string> {
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  const options = { cwd: join(packages, name) }
  const { stdout } = await run('pnpm', ['pack', '--json', '--pack-destination', folder], options)
  const { filename } = JSON.parse(stdout) as { filename: string }
  await run('tar', ['xzf', filename, '-C', folder])
  return filename
}
