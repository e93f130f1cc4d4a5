import { readdir, readFile } from 'node:fs/promises'
import { extname, join, relative, sep } from 'node:path'
import { getMimeType } from 'hono/utils/mime'
import { createRenderer, type Renderer } from './createRenderer.ts'
import { createFile, type File } from './file.ts'
import { createPage, type Page } from './page.ts'

/** Thrown when the folder has no built web app, or cannot be read. */
export class SiteMissingError extends Error {
  override readonly name = 'SiteMissingError'
}

/** The paths of the pages, as the build writes them. */
const pathsFile = '/.vite/paths.json'

/** The built web app. */
export type Site = Awaited<ReturnType<typeof readSite>>

function refuseUnreadable({ code, message }: NodeJS.ErrnoException): never[] {
  if (code === 'ENOENT') return []
  throw new SiteMissingError(`The web app cannot be read: ${message}.`)
}

/**
 * Reads the built web app into memory. So a build that runs at the same time does not change half of the files, and
 * the path of a request never reaches the file system.
 *
 * Hono's `serveStatic` is not enough: it reads from disk, finds only files compressed beforehand, ignores weights in
 * `Accept-Encoding`, and sets no `ETag`.
 *
 * @throws {SiteMissingError} without an index.html, the list of its pages, or the right to read them
 */
export async function readSite(dir: string) {
  const files = new Map<string, File>()
  let shell: Page | undefined
  let renderer: Renderer | undefined
  let paths: string[] | undefined
  for (const entry of await readdir(dir, { recursive: true, withFileTypes: true }).catch(refuseUnreadable)) {
    if (!entry.isFile()) continue
    const name = join(entry.parentPath, entry.name)
    const path = `/${relative(dir, name).split(sep).join('/')}`
    if (path === '/server/render.js') renderer = createRenderer(dir)
    else if (path === pathsFile) paths = JSON.parse(await readFile(name, 'utf8'))
    else if (path === '/index.html') shell = createPage(await readFile(name, 'utf8'))
    else if (!path.startsWith('/server/') && !path.startsWith('/.vite/'))
      files.set(path, createFile(await readFile(name), getMimeType(name) ?? 'application/octet-stream'))
  }
  if (shell === undefined || paths === undefined) {
    const missing = join(dir, shell ? pathsFile : 'index.html')
    throw new SiteMissingError(
      `The web app is not built: ${missing} is missing. Run \`pnpm build\`, and copy hidden folders.`,
    )
  }
  return {
    files,
    /** The page without content, which the browser renders. */
    shell,
    /** `undefined` for a build without it. */
    renderer,
    /** The paths of its pages. */
    paths,
  }
}

/** Finds the path of the page that a path means, in any case, also with slashes at its end. At other paths, the first page says that there is nothing. */
export function findPagePath(path: string, paths: readonly string[]): string | undefined {
  // Without `(?<!\/)` the time would grow with the square of the slashes: 15,000 before a letter would take a second.
  const plain = path.replace(/(?<!\/)\/+$/, '').replace(/^\/index\.html$/, '')
  return paths.find((page) => page === (plain.toLowerCase() || '/'))
}

/** Returns whether a path is that of a file, which if missing must not be answered with a page: caches would keep it. */
export const isFilePath = (path: string): boolean =>
  path.startsWith('/assets/') || (extname(path) !== '' && path !== '/index.html')

export const fileHeaders = (path: string): Record<string, string> => ({
  // Names in /assets/ contain a hash of the content.
  'cache-control': path.startsWith('/assets/') ? 'public, max-age=31536000, immutable' : 'no-cache',
  // Safe reads the manifest from its own origin.
  ...(path === '/manifest.json' && { 'access-control-allow-origin': '*' }),
})
