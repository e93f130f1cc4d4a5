/** Export conditions of Vite plus our own, which resolves the packages of this repository to their sources. */
export const conditions = ['@lineage/source', 'module', 'browser', 'development|production', 'default']
