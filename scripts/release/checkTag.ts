/** `node scripts/release/checkTag.ts <tag>`: ends with 1 unless the tag names the version that the wallet kit has. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

const file = join(import.meta.dirname, '../../packages/wallet-kit/package.json')
const expected = `wallet-kit@${JSON.parse(readFileSync(file, 'utf8')).version}`
const [tag] = process.argv.slice(2)
if (tag !== expected) {
  console.error(
    `The tag ${tag} does not match the package: expected ${expected}. Run pnpm version -r, commit, and tag again.`,
  )
  process.exit(1)
}
