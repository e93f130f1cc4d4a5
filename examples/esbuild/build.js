import { copyFileSync, mkdirSync, rmSync } from 'node:fs'
import { parseArgs } from 'node:util'
import * as esbuild from 'esbuild'

const { values } = parseArgs({ options: { serve: { type: 'boolean' }, port: { type: 'string', default: '5173' } } })

rmSync('dist', { recursive: true, force: true })
mkdirSync('dist')
copyFileSync('src/index.html', 'dist/index.html')
const context = await esbuild.context({
  entryPoints: ['src/main.tsx'],
  bundle: true,
  // Without splitting, the page starts with the dialogs and all languages.
  splitting: true,
  format: 'esm',
  target: ['es2022', 'chrome111', 'safari16.4'],
  jsx: 'automatic',
  minify: !values.serve,
  define: {
    'process.env.NODE_ENV': JSON.stringify(values.serve ? 'development' : 'production'),
    'process.env.AUTH_URL': JSON.stringify(process.env.AUTH_URL ?? ''),
    'process.env.RPC_URL': JSON.stringify(process.env.RPC_URL ?? ''),
  },
  outdir: 'dist',
})
if (values.serve) {
  const { port } = await context.serve({ servedir: 'dist', port: Number(values.port) })
  console.log(`http://localhost:${port}`)
} else {
  await context.rebuild()
  await context.dispose()
}
