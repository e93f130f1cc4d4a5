/** Fails if a page of the built site cannot be found or read as Markdown. */
import { join } from 'node:path'
import { checkSite } from './src/checkSite.ts'

const problems = checkSite(join(import.meta.dirname, 'dist'))
for (const problem of problems) console.error(problem)
if (problems.length > 0) process.exit(1)
