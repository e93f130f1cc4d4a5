import { readFileSync } from 'node:fs'
import { defineConfig } from 'tsup'

type Exports = Record<string, { default: string }>
const { exports }: { exports: Exports } = JSON.parse(readFileSync('package.json', 'utf8')).publishConfig

// One bundle for each published entry. The schemas are a separate chunk, which the client loads with the first
// response.
export default defineConfig({
  entry: Object.values(exports).map(({ default: file }) => file.replace('./dist/', 'src/').replace('.js', '.ts')),
  format: 'esm',
  target: 'es2022',
  dts: true,
  splitting: true,
  sourcemap: true,
  clean: true,
})
