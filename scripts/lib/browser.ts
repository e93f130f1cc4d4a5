import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { delimiter, join } from 'node:path'

export type Browser = { executablePath: string; args: string[] }

/** No browser to test with. */
class BrowserMissingError extends Error {
  override readonly name = 'BrowserMissingError'
}

export type FindBrowserParameters = {
  env?: NodeJS.ProcessEnv
  platform?: NodeJS.Platform
  exists?: (path: string) => boolean
}

const names = [
  'chromium',
  'chromium-browser',
  'google-chrome',
  'google-chrome-stable',
  'microsoft-edge',
  'microsoft-edge-stable',
  'brave-browser',
]

/**
 * A Chromium that is installed: the one named by `CHROMIUM_PATH`, one on the PATH, or one where it usually is.
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
    throw new BrowserMissingError(`CHROMIUM_PATH says ${env.CHROMIUM_PATH}, and there is no such file.`)
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
 * The browser to test with, got when there is none: from Playwright where the network allows, else from apt as root on
 * Debian. Chinese is boxes without a font for it, so apt brings one too.
 *
 * @throws {BrowserMissingError}
 */
export async function findBrowser(): Promise<Browser> {
  const isRoot = process.getuid?.() === 0
  const executablePath = findInstalled() ?? installWithPlaywright() ?? (isRoot ? installWithApt() : undefined)
  if (!executablePath)
    throw new BrowserMissingError(
      'No Chrome, Chromium or Edge was found, and none could be got. Install one, or name it in CHROMIUM_PATH.',
    )
  if (isRoot && !hasChineseFont()) apt('fonts-noto-cjk')
  // Chromium refuses its sandbox to root.
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
  apt('chromium', 'fonts-noto-cjk')
  return findInstalled()
}

/** Leaves it to the caller to see whether it helped: there may be no apt, or no network. */
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
