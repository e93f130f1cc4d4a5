import { join } from 'node:path'
import { afterEach, expect, test, vi } from 'vitest'

const { argv } = process
afterEach(() => {
  process.argv = argv
  vi.restoreAllMocks()
})

test('behavior: it names the packages to install, also for Next.js', async () => {
  const log = vi.spyOn(console, 'log').mockReturnValue()
  process.argv = ['node', 'cli', join(import.meta.dirname, '../fixtures/template/before'), '--dry-run']
  await import('./cli.ts')
  const text = log.mock.calls.join('\n')
  expect(text).toContain('npm install @lineage/wallet-kit wagmi@3')
  expect(text).toContain('With Next.js also install @mui/material-nextjs')
})
