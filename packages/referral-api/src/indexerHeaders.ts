/** Headers between the server and its indexers. Visitors neither send nor see them. */
export const indexerHeaders = {
  /** Newest block of the index when it answered. */
  block: 'lineage-block',
  /** Name of the index: indexes of one name have the same configuration. */
  index: 'lineage-index',
  /** Request header: a block that the visitor has seen. The indexer waits a moment for it. */
  atLeast: 'lineage-at-least',
} as const
