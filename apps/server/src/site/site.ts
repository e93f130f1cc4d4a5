import { readdir, readFile } from 'node:fs/promises'
import { extname, join, relative, sep } from 'node:path'
import { getMimeType } from 'hono/utils/mime'
import { createFile, type File } from './file.ts'

/** The built web app: its files and its pages, each by path. */
export type Site = {
  files: ReadonlyMap<string, File>
  /** Returns the HTML of the page at a path, or of the first page, which finds its content by the path. */
  findPage: (path: string) => string
}

/** Thrown when the folder has no built web app. */
export class SiteMissingError extends Error {
  override readonly name = 'SiteMissingError'
}

/**
 * Reads the built web app into memory. So a build that runs at the same time does not change half of the files, and
 * the path of a request never reaches the file system.
 *
 * Hono's `serveStatic` is not enough: it reads from disk, finds only files compressed beforehand, ignores weights in
 * `Accept-Encoding`, and sets no `ETag`.
 *
 * @throws {SiteMissingError} without an index.html
 */
export async function readSite(dir: string): Promise<Site> {
  const files = new Map<string, File>()
  const pages = new Map<string, string>()
  for (const entry of await readdir(dir, { recursive: true, withFileTypes: true }).catch(() => [])) {
    if (!entry.isFile()) continue
    const name = join(entry.parentPath, entry.name)
    const path = `/${relative(dir, name).split(sep).join('/')}`
    const bytes = await readFile(name)
    if (path.endsWith('.html')) pages.set(path.replace(/(index)?\.html$/, ''), bytes.toString('utf8'))
    else files.set(path, createFile(bytes, getMimeType(name) ?? 'application/octet-stream'))
  }
  const index = pages.get('/')
  if (index === undefined)
    throw new SiteMissingError(`The web app is not built: ${join(dir, 'index.html')} is missing. Run \`pnpm build\`.`)
  return { files, findPage: (path) => pages.get(path) ?? index }
}

/**
 * Returns whether a path belongs to a file. A missing file must not be answered with a page, which caches would keep.
 */
export const isFilePath = (path: string): boolean =>
  path.startsWith('/assets/') || (extname(path) !== '' && path !== '/index.html')

/** Returns the headers of a file. */
export const fileHeaders = (path: string): Record<string, string> => ({
  // Names in /assets/ contain a hash of the content.
  'cache-control': path.startsWith('/assets/') ? 'public, max-age=31536000, immutable' : 'no-cache',
  // Safe reads the manifest from its own origin.
  ...(path === '/manifest.json' && { 'access-control-allow-origin': '*' }),
})

/** Returns the HTML of a page with a nonce in place of `__NONCE__`, which the build writes, and with tags in its head. */
export const renderPage = (html: string, nonce: string, tags = ''): string =>
  html.replaceAll('__NONCE__', nonce).replace('</head>', () => `${tags}</head>`)
