import { mkdirSync, readdirSync, readFileSync, realpathSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { transform } from 'esbuild'
import { defineConfig, type Options } from 'tsup'
import { relayClientOptions } from './buildRelayClient.ts'

// One entry for each file of src/exports: these are the only barrels.
const entries = readdirSync('src/exports').filter((file) => file.endsWith('.ts') && !file.includes('.test.'))

// Chrome 111, Safari and iOS 16.4 are the oldest browsers with all the CSS that the kit uses, such as `color-mix()`.
const target = ['es2022', 'chrome111', 'safari16.4']

type Plugin = NonNullable<Options['esbuildPlugins']>[number]

/**
 * Keeps the relay client in one separate file, so that a host's bundler can neither share parts of it with the page
 * nor split it.
 */
const relayApart: Plugin = {
  name: 'relay-apart',
  setup: (build) =>
    build.onResolve({ filter: /\/relayClient\.ts$/ }, () => ({ path: './relayClient.js', external: true })),
}

/**
 * Modules that the page shares with parts that load later, by the file that they are built into. They import only modules of
 * the same file or of one above. Entries without `core` do not load the second file, those without React not the third.
 */
const shared: Record<string, readonly string[]> = {
  shared: [
    'core/lib/errors.ts',
    'core/lib/format.ts',
    'core/lib/promises.ts',
    'core/lib/untrusted.ts',
    'core/provider/eip1193.ts',
    'core/state/config.ts',
    'core/state/initialState.ts',
    'core/state/observers.ts',
  ],
  sharedState: ['core/lib/storage.ts', 'core/state/context.ts', 'core/state/state.ts', 'core/state/transitions.ts'],
  sharedReact: [
    'locales/locales.ts',
    'locales/translate.ts',
    'react/jsx.ts',
    'react/WalletKitContext.ts',
    'react/ErrorBoundary.tsx',
    'react/Button.tsx',
    'react/hooks/useAccountBalance.ts',
    'react/hooks/useName.ts',
    'react/hooks/useWalletConnection.ts',
    'react/hooks/useWalletKit.ts',
    'react/icons/Avatar.tsx',
    'react/icons/ChainIcon.tsx',
  ],
  // All code of the main entry. Bundlers pass a file that only exports the code of others: what an app does not take from it,
  // such as `useCloseOnBack`, then loads with the dialogs, and the files of the page stay together.
  main: [
    'react/ConnectButton/ConnectButton.tsx',
    'react/hooks/useDialogs.ts',
    'react/hooks/useSignIn.ts',
    'react/hooks/useTransactions.ts',
    'react/WalletKitProvider.tsx',
  ],
}

/** Returns the file that a shared module is built into. */
const fileOf = (path: string) =>
  Object.keys(shared).find((file) => shared[file]?.some((name) => path.endsWith(`/src/${name}`)))

/**
 * Builds these modules into one file each. A host's bundler creates a file for every piece that a page shares with some
 * of its later parts, and may keep pieces that import each other separate.
 */
const sharedTogether: Plugin = {
  name: 'shared-together',
  setup: (build) => {
    const files = Object.keys(shared)
    build.initialOptions.entryPoints = {
      ...(build.initialOptions.entryPoints as Record<string, string>),
      ...Object.fromEntries(files.map((file) => [file, file])),
    }
    build.onResolve({ filter: new RegExp(`^(${files.join('|')})$`) }, ({ path }) => ({ path, namespace: 'shared' }))
    build.onLoad({ filter: /.*/, namespace: 'shared' }, ({ path }) => ({
      contents: shared[path]?.map((name) => `export * from './src/${name}'`).join('\n') ?? '',
      resolveDir: resolve('.'),
    }))
    build.onResolve({ filter: /^\.{1,2}\/.*\.tsx?$/ }, ({ path, importer, namespace, resolveDir }) => {
      const file = fileOf(resolve(resolveDir, path))
      return namespace === 'file' && file && file !== fileOf(importer)
        ? { path: `./${file}.js`, external: true }
        : undefined
    })
  },
}

/**
 * Builds viem's `createClient`, 1 kB, into the start of a page. esbuild gives a page that imports one name of `viem` all that
 * its later parts import of it, which is twenty times as much.
 */
const clientInside: Plugin = {
  name: 'client-inside',
  setup: (build) =>
    build.onResolve({ filter: /\/createClient\.ts$/ }, () => ({
      path: join(realpathSync('node_modules/viem'), '_esm/clients/createClient.js'),
      sideEffects: false,
    })),
}

/** Draws elements with functions of the kit. Bundlers write out each call of a CommonJS module: `(0, runtime.jsx)(…)`. */
const ownJsx: Plugin = {
  name: 'own-jsx',
  setup: (build) => {
    build.initialOptions.jsxImportSource = 'own'
    build.onResolve({ filter: /^own\/jsx-runtime$/ }, ({ importer }) =>
      fileOf(importer) === 'sharedReact'
        ? { path: resolve('src/react/jsx.ts') }
        : { path: './sharedReact.js', external: true },
    )
  },
}

/**
 * Lets the hooks on TanStack Query import shared code from the main entry. Separate pieces would split the main entry
 * further, even for apps without these hooks.
 */
const hooksOnMain: Plugin = {
  name: 'hooks-on-main',
  setup: (build) =>
    build.onResolve({ filter: /\/react\/hooks\/\w+\.ts$/ }, ({ importer }) =>
      importer.startsWith(resolve('src/hooks')) ? { path: './index.js', external: true } : undefined,
    ),
}

/** Imports a style sheet as a minified text, like Vite. */
const inlineCss: Plugin = {
  name: 'inline-css',
  setup: (build) => {
    // With its query, because tsup loads each path that ends in `.css` as a style sheet.
    build.onResolve({ filter: /\.css\?inline$/ }, ({ path, resolveDir }) => ({
      path: resolve(resolveDir, path),
      namespace: 'inline-css',
    }))
    build.onLoad({ filter: /.*/, namespace: 'inline-css' }, async ({ path }) => {
      const css = readFileSync(path.replace('?inline', ''), 'utf8')
      const { code } = await transform(css, { loader: 'css', minify: true, target })
      return { contents: code.trim(), loader: 'text' }
    })
  },
}

/** Adds licence texts: Apache-2.0 and MIT require them beside the code. */
const licences: Plugin = {
  name: 'licences',
  setup: (build) => {
    build.initialOptions.metafile = true
    build.onEnd(({ metafile }) => {
      const folders = new Set(Object.keys(metafile?.inputs ?? {}).flatMap((file) => findPackage(file) ?? []))
      for (const folder of folders)
        for (const name of inlined[nameOf(folder)] ?? []) folders.add(findBeside(folder, name))
      const texts = [...folders].sort((a, b) => (nameOf(a) < nameOf(b) ? -1 : 1)).map(formatNotice)
      mkdirSync('dist', { recursive: true })
      writeFileSync('dist/relayClient.LICENSES.txt', texts.join(`\n${'-'.repeat(80)}\n\n`))
    })
  },
}

function findPackage(file: string): string | undefined {
  const [folder] = /^.*node_modules\/(@[^/]+\/)?[^/]+/.exec(file) ?? []
  return folder
}

/** Packages that other packages bundle in their own files. */
const inlined: Record<string, string[]> = { '@walletconnect/core': ['es-toolkit'] }

const nameOf = (folder: string) => /node_modules\/((@[^/]+\/)?[^/]+)$/.exec(folder)?.[1] ?? folder

/** Finds a dependency beside the package that needs it, where pnpm places it. */
const findBeside = (folder: string, name: string) => realpathSync(join(folder.slice(0, -nameOf(folder).length), name))

function formatNotice(folder: string): string {
  const { name, version, license, author } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
  const files = readdirSync(folder).filter((file) => /^(licen[cs]e|notice)/i.test(file))
  const texts = files.map((file) => readFileSync(join(folder, file), 'utf8').trim())
  if (files.length === 0) texts.push(mit(author?.name ?? author ?? `the authors of ${name}`))
  return [`${name} ${version} (${license})`, ...texts].join('\n\n').concat('\n')
}

/** Returns the licence text for packages that state this licence without including its text. */
const mit = (holder: string) => {
  const text = readFileSync('ICONS-LICENSE.txt', 'utf8')
  return text.slice(text.indexOf('MIT License')).replace('0xa3k5', holder)
}

export default defineConfig([
  {
    entry: Object.fromEntries(entries.map((file) => [file.slice(0, -3), `src/exports/${file}`])),
    format: 'esm',
    target,
    dts: true,
    splitting: true,
    sourcemap: true,
    clean: true,
    esbuildPlugins: [ownJsx, inlineCss, relayApart, clientInside, hooksOnMain, sharedTogether],
  },
  {
    entry: { relayClient: 'src/wallets/relay/relayClient.ts' },
    noExternal: [/./],
    splitting: false,
    ...relayClientOptions,
    esbuildOptions: (options) => Object.assign(options, relayClientOptions, { plugins: options.plugins }),
    esbuildPlugins: [...relayClientOptions.plugins, licences],
  },
])
