import type { Address, Community, MemberEvents } from '@lineage/referral-api'
import { CsvRow } from './CsvExport.tsx'
import { openCsvFile } from './csvFile.ts'
import { useCsvDownload } from './useCsvDownload.ts'

type Props = {
  address: Address
  community: Community
  kind: MemberEvents['items'][number]['kind'] | undefined
  /** Description of the export. */
  text: string
}

/** Exports the events of an address, all or of one kind, as CSV. Their number is not known in advance. */
export function EventsExport({ address, community: { id }, kind, text }: Props) {
  const { now, start, cancel } = useCsvDownload(`events ${id} ${address} ${kind}`, (api, signal) =>
    api.memberEventsCsv(id, address, { kind, signal }),
  )
  const name = `${id}-${address}-${kind ?? 'events'}.csv`
  return (
    <CsvRow
      now={now}
      rows={0}
      relation="atLeast"
      idle={text}
      onStart={() => void start(() => openCsvFile(name))}
      onCancel={cancel}
    />
  )
}
