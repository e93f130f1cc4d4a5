import type { ReferralClient } from '@lineage/referral-api'
import { useStore } from 'zustand'
import { useApi } from '../../lib/api.ts'
import { type CsvDownload, type CsvDownloadState, createCsvDownload } from './createCsvDownload.ts'

const downloads = new WeakMap<ReferralClient, Map<string, CsvDownload>>()

/**
 * Returns a CSV download that is shared by all pages and survives navigation.
 *
 * @param key Identifies the download.
 */
export function useCsvDownload(
  key: string,
  open: (api: ReferralClient, signal: AbortSignal) => Promise<ReadableStream<Uint8Array>>,
): Omit<CsvDownload, 'store'> & { now: CsvDownloadState } {
  const api = useApi()
  const known = downloads.get(api) ?? new Map<string, CsvDownload>()
  downloads.set(api, known)
  const download = known.get(key) ?? createCsvDownload((signal) => open(api, signal))
  known.set(key, download)
  return { now: useStore(download.store), start: download.start, cancel: download.cancel }
}
