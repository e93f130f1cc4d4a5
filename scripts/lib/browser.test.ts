import { expect, test } from 'vitest'
import { findInstalled } from './browser.ts'

const only = (path: string) => (asked: string) => asked === path

test.each([
  ['named', { CHROMIUM_PATH: '/my/chrome', PATH: '/usr/bin' }, 'linux', '/my/chrome'],
  ['on the PATH', { PATH: '/nowhere:/usr/bin' }, 'linux', '/usr/bin/chromium'],
  ['Chrome of macOS', { HOME: '/Users/a' }, 'darwin', '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome'],
  [
    'Chrome of one person',
    { HOME: '/Users/a' },
    'darwin',
    '/Users/a/Applications/Chromium.app/Contents/MacOS/Chromium',
  ],
  ['Edge of Windows', { PROGRAMFILES: 'C:\\P' }, 'win32', 'C:\\P\\Microsoft\\Edge\\Application\\msedge.exe'],
] as const)('behavior: %s', (_, env, platform, path) => {
  expect(findInstalled({ env, platform, exists: only(path) })).toBe(path)
})

test('behavior: none', () => {
  expect(findInstalled({ env: { PATH: '/usr/bin' }, platform: 'linux', exists: () => false })).toBeUndefined()
})

test('error: one is named that is not there', () => {
  const given = { env: { CHROMIUM_PATH: '/my/chrome', PATH: '/usr/bin' }, exists: only('/usr/bin/chromium') }
  expect(() => findInstalled(given)).toThrow('CHROMIUM_PATH says /my/chrome, and there is no such file.')
})
