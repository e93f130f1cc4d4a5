import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Application, Converter, type ProjectReflection, ReflectionKind, ReflectionType } from 'typedoc'

/**
 * Writes the reference of a package: one page per entry, from the TSDoc of its exports.
 *
 * @param kit - The folder of the package, with its entries in `src/exports`.
 * @param folder - Where the pages are written; older ones are removed.
 * @throws when TypeDoc warns, for example of a link that leads nowhere
 */
export async function writeReference(kit: string, folder: string): Promise<void> {
  const application = await Application.bootstrapWithPlugins({
    plugin: ['typedoc-plugin-markdown', 'typedoc-plugin-missing-exports'],
    entryPoints: readEntries(kit).map((name) => join(kit, `src/exports/${name}.ts`)),
    tsconfig: join(kit, 'tsconfig.json'),
    outputs: [{ name: 'markdown', path: folder }],
    readme: 'none',
    groupOrder: ['Functions', 'Variables', 'Classes', '*'],
    // `tsc` has checked the types.
    skipErrorChecking: true,
    disableGit: true,
    disableSources: true,
    excludeInternal: true,
    excludeExternals: true,
    // Types that are not exported are described where they are used.
    validation: { notExported: false },
    logLevel: 'Warn',
    treatWarningsAsErrors: true,
    ...pluginOptions,
  })
  application.converter.on(Converter.EVENT_RESOLVE_BEGIN, ({ project }) => showAsMethods(project), 1_000)
  const project = await application.convert()
  if (!project) throw new Error('TypeDoc could not read the entries of the kit. Its messages are printed above.')
  await application.generateOutputs(project)
  if (application.logger.hasWarnings() || application.logger.hasErrors())
    throw new Error('TypeDoc has warnings, which are printed above. Correct the docblocks that they name.')
  headPages(kit, folder)
}

/**
 * Converts properties with a function's type to methods, so that their parameters, errors and examples are shown below the
 * table of properties.
 */
function showAsMethods(project: ProjectReflection): void {
  for (const member of project.getReflectionsByKind(ReflectionKind.Property)) {
    if (!member.isDeclaration() || !(member.type instanceof ReflectionType)) continue
    const { signatures, children } = member.type.declaration
    if (!signatures || children) continue
    for (const signature of signatures) {
      signature.parent = member
      signature.name = member.name
    }
    Object.assign(member, { kind: ReflectionKind.Method, signatures, type: undefined })
  }
}

/** Adds the import path as the heading of each entry's page: `@lineage/wallet-kit/core`. */
function headPages(kit: string, folder: string): void {
  for (const name of readEntries(kit)) {
    const file = join(folder, `${name}.md`)
    writeFileSync(
      file,
      readFileSync(file, 'utf8').replace(/^# .*/, () => `# ${addressOf(name)}`),
    )
  }
}

/** Returns the path from which an app imports an entry. */
export const addressOf = (entry: string): string =>
  entry === 'index' ? '@lineage/wallet-kit' : `@lineage/wallet-kit/${entry}`

/** Returns the names of a package's entries. */
export const readEntries = (kit: string): string[] =>
  readdirSync(join(kit, 'src/exports')).flatMap((file) => /^([a-z-]+)\.ts$/.exec(file)?.[1] ?? [])

/** Options of the plugins, which the types of TypeDoc do not include. */
const pluginOptions: object = {
  placeInternalsInOwningModule: true,
  outputFileStrategy: 'modules',
  // `index` is already the name of an entry.
  entryFileName: 'entries',
  hidePageHeader: true,
  hideBreadcrumbs: true,
  hideGroupHeadings: true,
  useCodeBlocks: true,
  expandObjects: true,
  indexFormat: 'table',
  parametersFormat: 'table',
  interfacePropertiesFormat: 'table',
  typeAliasPropertiesFormat: 'table',
  typeDeclarationFormat: 'table',
  propertyMembersFormat: 'table',
}
