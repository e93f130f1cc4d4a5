import { startTestPostgres } from '@lineage/database/testing'
import type { TestProject } from 'vitest/node'

declare module 'vitest' {
  export interface ProvidedContext {
    postgresUrl: string
  }
}

/** Starts the PostgreSQL server on which `serve` makes its databases. */
export default async function setup({ provide }: TestProject): Promise<() => Promise<void>> {
  const postgres = await startTestPostgres()
  provide('postgresUrl', postgres.url)
  return postgres.stop
}
