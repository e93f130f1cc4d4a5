import type { Address, ReferralClient } from '@lineage/referral-api'
import { useStore } from 'zustand'
import { useApi } from '../../lib/api.ts'
import { createDownload, type Download, type DownloadState } from './createDownload.ts'

const downloads = new WeakMap<ReferralClient, Map<string, Download>>()

/** The file of a member's downline; the same one on every page, and after a visit to another. */
export function useDownload(community: string, address: Address): Omit<Download, 'store'> & { now: DownloadState } {
  const api = useApi()
  const known = downloads.get(api) ?? new Map<string, Download>()
  downloads.set(api, known)
  const key = `${community} ${address}`
  const download = known.get(key) ?? createDownload((signal) => api.referralsCsv(community, address, { signal }))
  known.set(key, download)
  return { now: useStore(download.store), start: download.start, cancel: download.cancel }
}
