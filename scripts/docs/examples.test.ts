import { describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { listExamples } from '../lib/installExamples.ts'
import { readText } from './markdown.ts'

type Manifest = {
  version: string
  dependencies: Record<string, string>
  devDependencies: Record<string, string>
}

const readManifest = (folder: string) => JSON.parse(readText(`${folder}/package.json`)) as Manifest
const { catalog } = parse(readText('pnpm-workspace.yaml')) as { catalog: Record<string, string> }
/**
 * Versions that the catalog has under another name, such as `npm:react@18.3.1`; the types of React 18, which it does not
 * have; and the last TypeScript with an API, which Next needs.
 */
const pinned = new Set([
  ...Object.values(catalog),
  'npm:@types/react@18.3.8',
  'npm:@types/react-dom@18.3.7',
  'npm:typescript@6.0.3',
])
const kit = readManifest('packages/wallet-kit')

describe.each(listExamples())('examples/%s', (name) => {
  const { dependencies, devDependencies } = readManifest(`examples/${name}`)

  test('takes the version of the kit that this repository holds', () =>
    expect(dependencies['@lineage/wallet-kit']).toBe(`^${kit.version}`))

  test('has the exact versions of the catalog', () => {
    const { '@lineage/wallet-kit': _, ...others } = { ...dependencies, ...devDependencies }
    for (const [one, version] of Object.entries(others)) {
      expect(version, one).toMatch(/^\d+\.\d+\.\d+$/)
      if (Object.hasOwn(catalog, one) && !pinned.has(`npm:${one}@${version}`)) expect(version, one).toBe(catalog[one])
    }
  })

  test('says how to start it', () =>
    expect(readText(`examples/${name}/README.md`)).toContain(`npm run example ${name}\n`))
})

test('the lock file of the examples names no host', () =>
  expect(readText('examples/pnpm-lock.yaml')).not.toMatch(/https?:|tarball:/))
