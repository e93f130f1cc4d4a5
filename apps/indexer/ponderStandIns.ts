/** Exports all names that Ponder imports from the modules that `runWithoutVite` replaces. */
import { pathToFileURL } from 'node:url'

export const createServer = async ({ root }: { root: string }) => ({
  config: { root },
  pluginContainer: { buildStart: async () => {} },
  close: async () => {},
})

export class ViteNodeServer {
  getSourceMap = () => null
}

export class ViteNodeRunner {
  executeFile = (file: string) => import(pathToFileURL(file).href)
  executeId = (id: string) => import(id)
}

const unused = () => undefined

export {
  unused as default,
  unused as detect,
  unused as getNpmVersion,
  unused as graphql,
  unused as installSourcemapsSupport,
  unused as normalizeModuleId,
  unused as toFilePath,
}
