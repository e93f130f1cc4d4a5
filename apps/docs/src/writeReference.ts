import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Application } from 'typedoc'

/**
 * Writes the reference of a package's entries: a page for each, from the TSDoc of what it exports.
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
    // `tsc` checks the types.
    skipErrorChecking: true,
    disableGit: true,
    disableSources: true,
    excludeInternal: true,
    excludeExternals: true,
    // Types that are no names of the package: what they are is written where they are used.
    validation: { notExported: false },
    logLevel: 'Warn',
    treatWarningsAsErrors: true,
    ...pluginOptions,
  })
  const project = await application.convert()
  if (!project) throw new Error('TypeDoc could not read the entries of the kit. What it found is above.')
  await application.generateOutputs(project)
  if (application.logger.hasWarnings() || application.logger.hasErrors())
    throw new Error('The reference has warnings, which are above. Mend the docblocks they name.')
  headPages(kit, folder)
}

/** Writes the import path at the top of each entry's page: `@lineage/wallet-kit/core`. */
function headPages(kit: string, folder: string): void {
  for (const name of readEntries(kit)) {
    const file = join(folder, `${name}.md`)
    writeFileSync(
      file,
      readFileSync(file, 'utf8').replace(/^# .*/, () => `# ${addressOf(name)}`),
    )
  }
}

/** Exports of an entry that an app imports. */
export const addressOf = (entry: string): string =>
  entry === 'index' ? '@lineage/wallet-kit' : `@lineage/wallet-kit/${entry}`

/** Reads the names of a package's entries. */
export const readEntries = (kit: string): string[] =>
  readdirSync(join(kit, 'src/exports')).flatMap((file) => /^([a-z-]+)\.ts$/.exec(file)?.[1] ?? [])

/** Options of the plugins, which TypeDoc's types do not know. */
const pluginOptions: object = {
  placeInternalsInOwningModule: true,
  outputFileStrategy: 'modules',
  // `index` is the name of an entry.
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
