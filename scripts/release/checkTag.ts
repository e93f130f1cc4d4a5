/** `node scripts/release/checkTag.ts <tag>`: exits with 1 unless the tag names a package and its current version. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { published } from './published.ts'

const expected = published.map((name) => {
  const file = join(import.meta.dirname, `../../packages/${name}/package.json`)
  return `${name}@${JSON.parse(readFileSync(file, 'utf8')).version}`
})
const [tag = ''] = process.argv.slice(2)
if (!expected.includes(tag)) {
  console.error(
    `The tag ${tag} does not match a package: expected ${expected.join(', ')}. Run pnpm version -r, commit, and tag again.`,
  )
  process.exit(1)
}
