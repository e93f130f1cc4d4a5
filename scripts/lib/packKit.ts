import { execFile } from 'node:child_process'
import { mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)
const kit = join(import.meta.dirname, '../../packages/wallet-kit')

/**
 * Packs the built kit as published. Replaces `folder`, which then contains the tarball, and its content in `package`.
 * Returns the path of the tarball.
 */
export async function packKit(folder: string): Promise<string> {
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  const { stdout } = await run('pnpm', ['pack', '--json', '--pack-destination', folder], { cwd: kit })
  const { filename } = JSON.parse(stdout) as { filename: string }
  await run('tar', ['xzf', filename, '-C', folder])
  return filename
}
