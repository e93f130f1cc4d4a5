import { spawnSync } from 'node:child_process'
import { cpSync, globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { published } from './published.ts'

const root = join(import.meta.dirname, '../..')
const readPackage = (folder: string, name: string) =>
  JSON.parse(readFileSync(join(folder, 'packages', name, 'package.json'), 'utf8'))
const run = (script: string, args: string[], options?: { cwd: string; env: NodeJS.ProcessEnv }) =>
  spawnSync(process.execPath, [join(import.meta.dirname, script), ...args], { encoding: 'utf8', ...options })

describe('checkTag', () => {
  test.each(published)('behavior: a tag releases %s alone', (name) => {
    expect(run('checkTag.ts', [`${name}@${readPackage(root, name).version}`])).toMatchObject({ status: 0, stderr: '' })
  })

  test.each(['wallet-kit@999.0.0', 'forest@0.1.0', 'wallet-kit', ''])('error: it refuses the tag %j', (tag) => {
    const { status, stderr } = run('checkTag.ts', [tag])
    expect(status).toBe(1)
    for (const name of published) expect(stderr).toContain(`${name}@`)
  })
})

describe('stateSource', () => {
  let folder: string
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'release-'))
    for (const name of published) {
      const file = `packages/${name}/package.json`
      cpSync(join(root, file), join(folder, file))
    }
  })
  afterEach(() => rmSync(folder, { recursive: true, force: true }))
  const runIn = (env: NodeJS.ProcessEnv) => run('stateSource.ts', [], { cwd: folder, env })

  test('behavior: each package states the repository of the workflow, its page and where to report bugs', () => {
    const env = { GITHUB_SERVER_URL: 'https://github.com', GITHUB_REPOSITORY: 'acme/lineage' }
    expect(runIn(env).status).toBe(0)
    for (const name of published) {
      expect(readPackage(folder, name)).toEqual({
        ...readPackage(root, name),
        repository: {
          type: 'git',
          url: 'git+https://github.com/acme/lineage.git',
          directory: `packages/${name}`,
        },
        homepage: `https://github.com/acme/lineage/tree/HEAD/packages/${name}#readme`,
        bugs: { url: 'https://github.com/acme/lineage/issues' },
      })
    }
  })

  test.each([{}, { GITHUB_SERVER_URL: 'https://github.com' }, { GITHUB_SERVER_URL: '', GITHUB_REPOSITORY: 'a/b' }])(
    'error: without an address it changes nothing, and fails: %j',
    (env) => {
      const { status, stderr } = runIn(env)
      expect([status, stderr]).toEqual([1, expect.stringContaining('GITHUB_REPOSITORY')])
      for (const name of published) expect(readPackage(folder, name)).toEqual(readPackage(root, name))
    },
  )
})

test('behavior: the release workflow has a tag for each published package', () => {
  const { on } = parse(readFileSync(join(root, '.github/workflows/release.yml'), 'utf8'))
  expect(on.push.tags).toEqual(published.map((name) => `${name}@*`))
})

test('behavior: each published package is public, tested as packed, and has the files of a release', () => {
  for (const name of published) {
    const { files, keywords, license, private: isPrivate, publishConfig, scripts } = readPackage(root, name)
    expect({ isPrivate, license, access: publishConfig.access }).toEqual({ license: 'MIT', access: 'public' })
    expect(scripts).toHaveProperty(['test:package'])
    expect(files).toEqual(expect.arrayContaining(['dist', 'README.md', 'CHANGELOG.md']))
    expect(keywords.length).toBeGreaterThan(3)
  }
})

test('behavior: changes of published packages are intents, so that a release raises their versions', () => {
  const names = globSync('.changeset/*.md', { cwd: root }).flatMap((file) => {
    const [, head = ''] = readFileSync(join(root, file), 'utf8').split('---\n')
    return Object.entries<string>(parse(head))
  })
  for (const [name, bump] of names) {
    expect(published.map((it) => `@lineage/${it}`)).toContain(name)
    expect(['patch', 'minor', 'major']).toContain(bump)
  }
  for (const name of published)
    expect(readFileSync(join(root, 'packages', name, 'CHANGELOG.md'), 'utf8')).not.toContain('Unreleased')
})
