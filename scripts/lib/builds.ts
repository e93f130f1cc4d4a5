import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { build, type Manifest } from 'vite'

const root = join(import.meta.dirname, '../..')
const kit = join(root, 'packages/wallet-kit')

/** A production build on disk, with its manifest. */
export type Build = { folder: string; manifest: Manifest }

export type HostPage = 'react' | 'mui' | 'kit'

/**
 * Builds one of the kit's test pages with Vite's defaults, from the kit as published. Build the kit first.
 *
 * @param rpcUrl URL of the node that the page reads from.
 */
export async function buildHostPage(page: HostPage, folder: string, rpcUrl = '/rpc'): Promise<Build> {
  return buildPage(join(kit, 'test/pages'), `${page}.html`, folder, rpcUrl)
}

/** Builds a page with Vite's defaults. */
export async function buildPage(pages: string, file: string, folder: string, rpcUrl: string): Promise<Build> {
  await build({
    root: pages,
    configFile: false,
    logLevel: 'error',
    define: { 'import.meta.env.VITE_RPC_URL': JSON.stringify(rpcUrl) },
    build: {
      outDir: folder,
      emptyOutDir: true,
      manifest: true,
      chunkSizeWarningLimit: 2_000,
      rolldownOptions: { input: join(pages, file) },
    },
  })
  return readBuild(folder)
}

/** Builds the kit's entries as published, minified, without peer dependencies. */
export async function buildKitEntries(folder: string): Promise<Build> {
  const { exports, peerDependencies } = JSON.parse(readFileSync(join(kit, 'package.json'), 'utf8'))
  const files = Object.values(exports as Record<string, { default: string }>).map((entry) => join(kit, entry.default))
  await build({
    root: kit,
    configFile: false,
    logLevel: 'error',
    build: {
      outDir: folder,
      emptyOutDir: true,
      manifest: true,
      chunkSizeWarningLimit: 2_000,
      rolldownOptions: {
        input: files,
        preserveEntrySignatures: 'strict',
        external: Object.keys(peerDependencies).map((name) => new RegExp(`^${name}(/|$)`)),
      },
    },
  })
  return readBuild(folder)
}

/** Builds the web app as it is deployed. */
export async function buildWeb(folder: string): Promise<Build> {
  await build({
    root: join(root, 'apps/web'),
    logLevel: 'error',
    build: { outDir: folder, emptyOutDir: true, manifest: true },
  })
  return readBuild(folder)
}

/** Returns the files of these parts of a page and of all their imports. */
export function filesOf({ folder, manifest }: Build, parts: readonly string[]): string[] {
  const reached = new Set(parts)
  for (const part of reached) for (const imported of manifest[part]?.imports ?? []) reached.add(imported)
  return [...reached].map((part) => {
    const { file } = manifest[part] ?? {}
    if (!file) throw new Error(`The build in ${folder} has no part ${part}.`)
    return join(folder, file)
  })
}

/** Returns the parts whose source matches. */
export function partsOf({ folder, manifest }: Build, source: RegExp): string[] {
  const found = Object.keys(manifest).filter((part) => source.test(part))
  if (found.length === 0) throw new Error(`The build in ${folder} has no part whose source matches ${source}.`)
  return found
}

export function scriptsOf({ folder }: Build): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.js'))
    .map((file) => join(folder, file))
}

function readBuild(folder: string): Build {
  return { folder, manifest: JSON.parse(readFileSync(join(folder, '.vite/manifest.json'), 'utf8')) }
}
