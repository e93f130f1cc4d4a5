/**
 * `node scripts/release/stateSource.ts`: writes where the published packages come from into each `package.json` of the
 * current folder: `repository`, which npm compares with the provenance statement, `homepage` and `bugs`. GitHub's
 * workflows set `GITHUB_SERVER_URL` and `GITHUB_REPOSITORY`, so that a copy of the repository states its own address.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { published } from './published.ts'

const { GITHUB_SERVER_URL: server, GITHUB_REPOSITORY: repository } = process.env
if (!server || !repository) {
  console.error('GITHUB_SERVER_URL or GITHUB_REPOSITORY is not set: run this in a workflow of GitHub, or set both.')
  process.exit(1)
}
const url = `${server}/${repository}`
for (const directory of published.map((name) => `packages/${name}`)) {
  const file = `${directory}/package.json`
  const source = {
    repository: { type: 'git', url: `git+${url}.git`, directory },
    homepage: `${url}/tree/HEAD/${directory}#readme`,
    bugs: { url: `${url}/issues` },
  }
  writeFileSync(file, `${JSON.stringify({ ...JSON.parse(readFileSync(file, 'utf8')), ...source }, null, 2)}\n`)
  console.log(`${file}: ${url}`)
}
