import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/**
 * Returns what a built site lacks: a page without its Markdown, and a page that neither the search nor `llms.txt`
 * finds.
 *
 * @param folder - The folder of the build.
 */
export function checkSite(folder: string): string[] {
  const read = (file: string) => readFileSync(join(folder, file), 'utf8')
  const list = (pattern: string) => globSync(pattern, { cwd: folder, exclude: ['storybook'] })
  const pages = list('**/*.html')
    .filter((file) => file !== '404.html')
    .map((file) => `/${file.replace(/\.html$/, '')}`)
    .sort()
  const markdown = new Set(list('**/*.md').map((file) => `/${file.replace(/\.md$/, '')}`))
  const [index] = list('static/search_index.*.json')
  const found = new Set(index && (JSON.parse(read(index)) as { routePath: string }[]).map((it) => toPage(it.routePath)))
  const listed = new Set([...read('llms.txt').matchAll(/\]\((\/[^)]+)\.md\)/g)].map(([, page = '']) => page))
  return [
    ...(pages.length === 0 ? [`${folder} has no pages.`] : []),
    ...pages.filter((page) => !markdown.has(page)).map((page) => `There is no ${page}.md.`),
    ...pages.filter((page) => !found.has(page)).map((page) => `The search does not know ${page}.`),
    ...pages
      .filter((page) => !listed.has(page) && !indexes.includes(page))
      .map((page) => `llms.txt does not list ${page}.md.`),
    ...[...listed]
      .filter((page) => !pages.includes(page))
      .map((page) => `llms.txt lists ${page}.md, which is no page.`),
  ]
}

/** Pages that list the others, as `llms.txt` does. */
const indexes = ['/index', '/api/entries']

const toPage = (route: string) => (route.endsWith('/') ? `${route}index` : route)

if (import.meta.main) {
  const problems = checkSite(join(import.meta.dirname, '../dist'))
  for (const problem of problems) console.error(problem)
  if (problems.length > 0) process.exit(1)
}
