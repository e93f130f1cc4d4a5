/** Routes between the server and its indexers, by id. They are not part of the public contract. */
export const indexerRoutes = {
  /** Lines of a community's steps, from which the server makes its streams: `LiveLine`. */
  steps: 'GET /communities/{community}/feed',
  /** Events that touch watched addresses: `WatchedRequest` and `WatchedEvents`. */
  watched: 'POST /communities/{community}/watched',
} as const
