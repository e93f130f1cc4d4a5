/** The scripts of a build. */
export type ScriptList = {
  /** The script of each source file. */
  files: Record<string, string>
  /** The scripts that each script imports. */
  imports: Record<string, string[]>
}

/** Path of the list in the folder of the build. */
export const scriptListName = '.vite/scripts.json'

/** Returns the scripts of source files, with all that they import. */
export function scriptsOf({ files, imports }: ScriptList, sources: readonly string[]): string[] {
  const reached = new Set(sources.flatMap((source) => files[source] ?? []))
  for (const script of reached) for (const imported of imports[script] ?? []) reached.add(imported)
  return [...reached]
}
