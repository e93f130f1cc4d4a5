import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { delimiter, join } from 'node:path'

export type Browser = { executablePath: string; args: string[] }

/** Thrown when no browser is available for the tests. */
export class BrowserMissingError extends Error {
  override readonly name = 'BrowserMissingError'
}

export type FindBrowserParameters = {
  env?: NodeJS.ProcessEnv
  platform?: NodeJS.Platform
  exists?: (path: string) => boolean
}

const names = [
  // Debian's Chromium without a user interface, which needs a third less of the processor.
  'chromium-headless-shell',
  'chromium',
  'chromium-browser',
  'google-chrome',
  'google-chrome-stable',
  'microsoft-edge',
  'microsoft-edge-stable',
  'brave-browser',
]

/**
 * Finds an installed Chromium: the one in `CHROMIUM_PATH`, one on the PATH, or one in its usual place.
 *
 * @example findInstalled()?.executablePath // '/usr/bin/chromium'
 */
export function findInstalled({
  env = process.env,
  platform = process.platform,
  exists = existsSync,
}: FindBrowserParameters = {}): string | undefined {
  if (env.CHROMIUM_PATH) {
    if (exists(env.CHROMIUM_PATH)) return env.CHROMIUM_PATH
    throw new BrowserMissingError(`CHROMIUM_PATH is ${env.CHROMIUM_PATH}, which does not exist.`)
  }
  const onPath = (env.PATH ?? '').split(delimiter).flatMap((folder) => names.map((name) => join(folder, name)))
  return [...(platform === 'win32' ? [] : onPath), ...usualPlaces(platform, env)].find(exists)
}

function usualPlaces(platform: NodeJS.Platform, env: NodeJS.ProcessEnv): string[] {
  if (platform === 'darwin') {
    return ['Google Chrome', 'Chromium', 'Microsoft Edge', 'Brave Browser'].flatMap((name) =>
      ['/Applications', `${env.HOME}/Applications`].map((folder) => `${folder}/${name}.app/Contents/MacOS/${name}`),
    )
  }
  if (platform === 'win32') {
    return [env.PROGRAMFILES, env['PROGRAMFILES(X86)'], env.LOCALAPPDATA].flatMap((folder) =>
      folder
        ? [`${folder}\\Google\\Chrome\\Application\\chrome.exe`, `${folder}\\Microsoft\\Edge\\Application\\msedge.exe`]
        : [],
    )
  }
  return ['/opt/google/chrome/chrome', '/snap/bin/chromium', '/usr/lib/chromium/chromium']
}

/**
 * Finds the browser for the tests, and installs one if there is none: from Playwright, or else with apt as root on
 * Debian. Also installs a Chinese font.
 *
 * @throws {BrowserMissingError}
 */
export async function findBrowser(): Promise<Browser> {
  const isRoot = process.getuid?.() === 0
  const executablePath = findInstalled() ?? installWithPlaywright() ?? (isRoot ? installWithApt() : undefined)
  if (!executablePath)
    throw new BrowserMissingError(
      'No Chrome, Chromium or Edge was found or could be installed. Install one, or set CHROMIUM_PATH.',
    )
  if (isRoot && !hasChineseFont()) apt('fonts-noto-cjk')
  // Chromium has no sandbox for root.
  return { executablePath, args: isRoot ? ['--no-sandbox'] : [] }
}

function installWithPlaywright(): string | undefined {
  const cli = createRequire(import.meta.url).resolve('@playwright/test/cli')
  const { status } = spawnSync(process.execPath, [cli, 'install', 'chromium'], { stdio: 'inherit', timeout: 300_000 })
  if (status !== 0) return undefined
  const { chromium } = createRequire(import.meta.url)('@playwright/test') as typeof import('@playwright/test')
  const path = chromium.executablePath()
  return existsSync(path) ? path : undefined
}

function installWithApt(): string | undefined {
  apt('chromium-headless-shell', 'fonts-noto-cjk')
  if (!findInstalled()) apt('chromium')
  return findInstalled()
}

/** Installs packages with apt, if available. It may fail: the caller checks for what it needs. */
function apt(...packages: string[]) {
  if (!existsSync('/usr/bin/apt-get')) return
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
  console.log(`Installing ${packages.join(' and ')} …`)
  for (const args of [['update'], ['install', '-y', '--no-install-recommends', ...packages]])
    spawnSync('apt-get', args, { stdio: ['ignore', 'ignore', 'inherit'], env })
}

function hasChineseFont(): boolean {
  try {
    return execFileSync('fc-list', [':lang=zh-cn'], { encoding: 'utf8' }).trim() !== ''
  } catch {
    return false
  }
}
