export type Page = {
  /** Name of the file, and last part of the address. */
  name: string
  title: string
  text: string
}

/**
 * Splits a README into one page per section of the second level.
 *
 * @param readme - The Markdown. Links to its own headings become links between the pages, links to examples and to
 * files of this site lead to their pages.
 * @param base - The address of the folder of the pages, such as `/kit`.
 */
export function splitReadme(readme: string, base: string): Page[] {
  const sections = splitSections(withoutComments(readme))
  const addresses = new Map(sections.flatMap(({ name, lines }) => anchorsOf(lines).map((anchor) => [anchor, name])))
  const link = (whole: string, anchor: string) => {
    const page = addresses.get(anchor)
    if (page === undefined) return whole
    return anchor === page ? `](${base}/${page})` : `](${base}/${page}#${anchor})`
  }
  return sections.map(({ name, title, lines }) => ({
    name,
    title,
    text: mapOutsideCode(lines, (line) =>
      line
        .replace(/^##/, '#')
        .replace(/\]\(#([^)]+)\)/g, link)
        .replaceAll('](../../examples/', '](/examples/')
        .replace(/\]\(\.\.\/\.\.\/apps\/docs\/pages(\/[^)#]+)\.md(?=[)#])/g, ']($1'),
    ).join('\n'),
  }))
}

function splitSections(text: string) {
  const sections: { name: string; title: string; lines: string[] }[] = []
  mapOutsideCode(
    text.split('\n'),
    (line) => {
      const title = /^## (.+)$/.exec(line)?.[1]
      if (title) sections.push({ name: toAnchor(title), title, lines: [] })
      sections.at(-1)?.lines.push(line)
      return line
    },
    (line) => sections.at(-1)?.lines.push(line),
  )
  return sections
}

/** Maps the lines outside of fenced blocks; `seeCode` is called with the other lines. */
function mapOutsideCode(
  lines: readonly string[],
  map: (line: string) => string,
  seeCode?: (line: string) => void,
): string[] {
  let isCode = false
  return lines.map((line) => {
    const isFence = line.startsWith('```')
    if (isFence) isCode = !isCode
    if (!isCode && !isFence) return map(line)
    seeCode?.(line)
    return line
  })
}

const withoutComments = (text: string) => text.replace(/<!--[\s\S]*?-->\n*/g, '')

function anchorsOf(lines: readonly string[]): string[] {
  const anchors: string[] = []
  mapOutsideCode(lines, (line) => {
    const title = /^#+ (.+)$/.exec(line)?.[1]
    if (title) anchors.push(toAnchor(title))
    return line
  })
  return anchors
}

/** Converts a heading to its anchor, like GitHub and the site do. */
const toAnchor = (title: string): string =>
  title
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .trim()
    .replaceAll(' ', '-')
