import { expect, test } from 'vitest'
import { findInstalled } from './browser.ts'

const only = (path: string) => (asked: string) => asked === path

test.each([
  ['in CHROMIUM_PATH', { CHROMIUM_PATH: '/my/chrome', PATH: '/usr/bin' }, 'linux', '/my/chrome'],
  ['on the PATH', { PATH: '/nowhere:/usr/bin' }, 'linux', '/usr/bin/chromium'],
  ['without a user interface', { PATH: '/usr/bin' }, 'linux', '/usr/bin/chromium-headless-shell'],
  ['Chrome on macOS', { HOME: '/Users/a' }, 'darwin', '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome'],
  [
    'Chrome of a user of macOS',
    { HOME: '/Users/a' },
    'darwin',
    '/Users/a/Applications/Chromium.app/Contents/MacOS/Chromium',
  ],
  ['Edge on Windows', { PROGRAMFILES: 'C:\\P' }, 'win32', 'C:\\P\\Microsoft\\Edge\\Application\\msedge.exe'],
] as const)('behavior: %s', (_, env, platform, path) => {
  expect(findInstalled({ env, platform, exists: only(path) })).toBe(path)
})

test('behavior: none is installed', () => {
  expect(findInstalled({ env: { PATH: '/usr/bin' }, platform: 'linux', exists: () => false })).toBeUndefined()
})

test('error: CHROMIUM_PATH names no file', () => {
  const given = { env: { CHROMIUM_PATH: '/my/chrome', PATH: '/usr/bin' }, exists: only('/usr/bin/chromium') }
  expect(() => findInstalled(given)).toThrow('CHROMIUM_PATH is /my/chrome, which does not exist.')
})
