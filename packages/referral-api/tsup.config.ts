import { readFileSync } from 'node:fs'
import { defineConfig } from 'tsup'

type Exports = Record<string, { default: string }>
const { exports }: { exports: Exports } = JSON.parse(readFileSync('package.json', 'utf8')).publishConfig

// An entry for each published export. Schemas stay a part of their own, which the client loads with the first response.
export default defineConfig({
  entry: Object.values(exports).map(({ default: file }) => file.replace('./dist/', 'src/').replace('.js', '.ts')),
  format: 'esm',
  target: 'es2022',
  dts: true,
  splitting: true,
  sourcemap: true,
  clean: true,
})
