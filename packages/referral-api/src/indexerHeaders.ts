/** Names of the headers between the server and its indexers. Visitors can neither send nor see them. */
export const indexerHeaders = {
  /** Newest block of the index at the time of the answer. */
  block: 'lineage-block',
  /** Name of the index. Indexes with the same name have the same configuration. */
  index: 'lineage-index',
  /** Request header: a block that the visitor has seen. The indexer waits briefly for it. */
  atLeast: 'lineage-at-least',
} as const
