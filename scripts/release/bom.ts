/** A component of a CycloneDX bill of materials, as written by `pnpm sbom`. */
export type Component = {
  name: string
  group?: string
  version: string
  licenses?: readonly { license?: { id?: string; name?: string }; expression?: string }[]
}

/** Licences that allow use, change and redistribution, and require at most notices (MPL-2.0: of its own files). */
const open = new Set([
  '0BSD',
  'Apache-2.0',
  'BlueOak-1.0.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'CC0-1.0',
  'ISC',
  'MIT',
  'MPL-2.0',
  'Unlicense',
])

/** Returns whether an SPDX expression can be met with open licences only. Refuses a combination with exceptions. */
export function isOpen(expression: string): boolean {
  const text = expression.replace(/[()]/g, ' ').trim()
  return text.split(/\sOR\s/).some((part) => part.split(/\sAND\s/).every((id) => open.has(id.trim())))
}

/** Lists the components whose licence is not open or not stated: `name@version: licence`. */
export function findClosed(components: readonly Component[]): string[] {
  return components.flatMap(({ name, group, version, licenses = [] }) => {
    const stated = licenses.map(({ license, expression }) => expression ?? license?.id ?? license?.name ?? '')
    const closed = stated.length === 0 ? ['no licence'] : stated.filter((text) => !isOpen(text))
    return closed.map((text) => `${group ? `${group}/` : ''}${name}@${version}: ${text || 'no licence'}`)
  })
}

/** Reads the packages in a bundle from the licence texts beside it, with headings such as `ws 8.1.0 (MIT)`. */
export function readBundled(texts: string): Component[] {
  return [...texts.matchAll(/^((@[^/\s]+)\/)?([^\s/]+) (\d\S*) \((.+)\)$/gm)].map(
    ([, , group, name = '', version = '', expression = '']) => ({
      ...(group && { group }),
      name,
      version,
      licenses: [{ expression }],
    }),
  )
}
