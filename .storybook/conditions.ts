/** Vite's own export conditions and ours: the packages of this repository are shown from their sources. */
export const conditions = ['@lineage/source', 'module', 'browser', 'development|production', 'default']
