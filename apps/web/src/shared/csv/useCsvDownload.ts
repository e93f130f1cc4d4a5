import type { Address, ReferralClient, ReferralsFilter } from '@lineage/referral-api'
import { useStore } from 'zustand'
import { useApi } from '../../lib/api.ts'
import { type CsvDownload, type CsvDownloadState, createCsvDownload } from './createCsvDownload.ts'

const downloads = new WeakMap<ReferralClient, Map<string, CsvDownload>>()

/** Returns the CSV download of a member's downline or those who pass a filter; it is shared by all pages and survives navigation. */
export function useCsvDownload(
  community: string,
  address: Address,
  filter?: ReferralsFilter,
): Omit<CsvDownload, 'store'> & { now: CsvDownloadState } {
  const api = useApi()
  const known = downloads.get(api) ?? new Map<string, CsvDownload>()
  downloads.set(api, known)
  const key = `${community} ${address} ${JSON.stringify(filter)}`
  const download =
    known.get(key) ?? createCsvDownload((signal) => api.referralsCsv(community, address, { ...filter, signal }))
  known.set(key, download)
  return { now: useStore(download.store), start: download.start, cancel: download.cancel }
}
