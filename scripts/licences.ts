/**
 * `pnpm run licences`: writes the bills of materials (CycloneDX) of the product and the published packages to
 * `reports/sbom`. It fails with the names of packages whose licence is not open. It needs the built kit, because its
 * relay client bundles packages.
 */
import { execFileSync } from 'node:child_process'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Component, findClosed, readBundled } from './release/bom.ts'
import { published } from './release/published.ts'

const root = join(import.meta.dirname, '..')
const folder = join(root, 'reports/sbom')
mkdirSync(folder, { recursive: true })

const bundled = readBundled(readFileSync(join(root, 'packages/wallet-kit/dist/relayClient.LICENSES.txt'), 'utf8'))
if (bundled.length === 0) throw new Error('The licence texts of the relay client name no package.')
const boms = new Map([['lineage', createBom('lineage', [])]])
for (const name of published)
  boms.set(name, createBom(name, name === 'wallet-kit' ? bundled : [], '--filter', `@lineage/${name}`))

const closed = new Set(findClosed([...boms.values()].flat()))
for (const line of closed) console.error(`Not an open licence: ${line}`)
if (closed.size > 0) process.exit(1)
const counts = [...boms].map(([name, components]) => `${components.length} packages in ${name}`)
console.log(`${counts.join(', ')}: open licences only.`)

/** Writes one bill of materials with the given components added, and returns its components. */
function createBom(name: string, added: readonly Component[], ...options: string[]): Component[] {
  const command = ['sbom', '--sbom-format', 'cyclonedx', '--prod', ...options]
  const bom = JSON.parse(execFileSync('pnpm', command, { cwd: root, encoding: 'utf8', maxBuffer: 64e6 }))
  const components = [...bom.components, ...added.map(toLibrary)]
  writeFileSync(join(folder, `${name}.cdx.json`), JSON.stringify({ ...bom, components }, null, 2))
  return components
}

/** Adds the type and the package URL that identify a component in CycloneDX. */
function toLibrary(component: Component) {
  const { group, name, version } = component
  const purl = `pkg:npm/${group ? `${encodeURIComponent(group)}/` : ''}${name}@${version}`
  return { type: 'library', ...component, purl, 'bom-ref': purl }
}
