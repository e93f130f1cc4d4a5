import { execFileSync } from 'node:child_process'
import { mkdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from '@playwright/test'
import { communityId } from './product.ts'
import { stackUrl } from './stack.ts'

const root = join(import.meta.dirname, '../..')
const source = join(root, 'packages/referral-api')

/** Compiler options of a strict Node program. */
const compilerOptions = {
  target: 'es2022',
  lib: ['es2022', 'dom'],
  module: 'nodenext',
  types: [],
  strict: true,
  noUncheckedIndexedAccess: true,
  exactOptionalPropertyTypes: true,
  skipLibCheck: false,
  outDir: 'out',
}

test('behavior: the lines of its README run on the installed package, under strict TypeScript and in Node', () => {
  const folder = test.info().outputPath('program')
  mkdirSync(folder, { recursive: true })
  const run = (command: string, args: string[], cwd = folder) => execFileSync(command, args, { cwd, encoding: 'utf8' })
  const { filename } = JSON.parse(run('pnpm', ['pack', '--json', '--pack-destination', folder], source))
  write('package.json', { type: 'module', dependencies: { '@lineage/referral-api': `file:${filename}` } })
  // Use the installed zod, so that nothing is downloaded.
  const zod = realpathSync(join(source, 'node_modules/zod'))
  writeFileSync(join(folder, 'pnpm-workspace.yaml'), `overrides:\n  zod: "link:${zod}"\n`)
  run('pnpm', ['install', '--offline', '--no-frozen-lockfile'])
  const [, lines = ''] = readFileSync(join(source, 'README.md'), 'utf8').split('```ts\n')
  const [program = ''] = lines.split('```')
  writeFileSync(join(folder, 'program.ts'), program.replace('https://lineage.example', stackUrl))
  write('tsconfig.json', { compilerOptions, files: ['program.ts'] })

  run(join(root, 'node_modules/.bin/tsc'), [])
  const printed = run(process.execPath, ['out/program.js']).trim().split('\n')

  expect(printed).toHaveLength(4)
  const line = new RegExp(
    `^${communityId}, \\d+ members: the team of 0x\\w{40} has \\d+. Referrer: (0x\\w{40}|null). Block \\d+.$`,
  )
  for (const one of printed.slice(0, 3)) expect(one).toMatch(line)
  expect(printed[3]).toMatch(/^member_not_found: ./)
  rmSync(folder, { recursive: true })

  function write(file: string, value: unknown) {
    writeFileSync(join(folder, file), JSON.stringify(value))
  }
})
