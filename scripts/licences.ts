/**
 * `pnpm licences`: writes the bills of materials (CycloneDX) of the product and the published packages to
 * `reports/sbom`. It fails with the names of packages whose licence is not open. It needs the built kit, because its
 * relay client bundles packages.
 */
import { execFileSync } from 'node:child_process'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Component, findClosed, readBundled } from './release/bom.ts'

const root = join(import.meta.dirname, '..')
const folder = join(root, 'reports/sbom')
mkdirSync(folder, { recursive: true })

const product = createBom('lineage', [])
const bundled = readBundled(readFileSync(join(root, 'packages/wallet-kit/dist/relayClient.LICENSES.txt'), 'utf8'))
if (bundled.length === 0) throw new Error('The licence texts of the relay client name no package.')
const kit = createBom('wallet-kit', bundled, '--filter', '@lineage/wallet-kit')

const api = createBom('referral-api', [], '--filter', '@lineage/referral-api')

const closed = new Set(findClosed([...product, ...kit, ...api]))
for (const line of closed) console.error(`Not an open licence: ${line}`)
if (closed.size > 0) process.exit(1)
console.log(
  `${product.length} packages in the product, ${kit.length} in the wallet kit, ${api.length} in the API client: open licences only.`,
)

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
