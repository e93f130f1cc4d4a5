import { readdir, readFile } from 'node:fs/promises'
import { extname, join, relative, sep } from 'node:path'
import { getMimeType } from 'hono/utils/mime'
import { notFound } from '../lib/problem.ts'
import { createFile, type File, sendFile } from './file.ts'
import { createPage, type Page, sendPage } from './page.ts'

export type Site = {
  /** Answers with a file, or with a page that has the nonce and the tags of `findTags`. */
  respond: (request: Request, page: { nonce: string; findTags: () => Promise<string> }) => Promise<Response>
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
  const { files, pages } = await readFolder(dir)
  const index = pages.get('/')
  if (index === undefined)
    throw new SiteMissingError(`The web app is not built: ${join(dir, 'index.html')} is missing. Run \`pnpm build\`.`)

  return {
    async respond(request, { nonce, findTags }) {
      const path = decodePath(new URL(request.url).pathname)
      const file = path === undefined ? undefined : files.get(path)
      if (path !== undefined && file) return sendFile(request, file, fileHeaders(path))
      if (path === undefined || (isFilePath(path) && path !== '/index.html')) return notFound()
      const tags = await findTags()
      return sendPage(request, pages.get(path) ?? index, { nonce, tags }, { 'cache-control': 'no-cache' })
    },
  }
}

/** Reads a folder into its files and its pages (`a.html` as `/a`), each by path. */
async function readFolder(dir: string) {
  const files = new Map<string, File>()
  const pages = new Map<string, Page>()
  for (const entry of await readdir(dir, { recursive: true, withFileTypes: true }).catch(() => [])) {
    if (!entry.isFile()) continue
    const name = join(entry.parentPath, entry.name)
    const path = `/${relative(dir, name).split(sep).join('/')}`
    const bytes = await readFile(name)
    if (path.endsWith('.html')) pages.set(path.replace(/(index)?\.html$/, ''), createPage(bytes.toString('utf8')))
    else files.set(path, createFile(bytes, getMimeType(name) ?? 'application/octet-stream'))
  }
  return { files, pages }
}

/**
 * Returns whether a path belongs to a file. A missing file must not be answered with a page, which caches would keep.
 */
const isFilePath = (path: string) => path.startsWith('/assets/') || extname(path) !== ''

const fileHeaders = (path: string) => ({
  // Names in /assets/ contain a hash of the content.
  'cache-control': path.startsWith('/assets/') ? 'public, max-age=31536000, immutable' : 'no-cache',
  // Safe reads the manifest from its own origin.
  ...(path === '/manifest.json' && { 'access-control-allow-origin': '*' }),
})

function decodePath(path: string): string | undefined {
  try {
    return decodeURIComponent(path)
  } catch {
    return undefined
  }
}
