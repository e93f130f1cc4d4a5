import { ConfirmDialog } from './ConfirmDialog.tsx'
import { LabelDialog } from './LabelDialog.tsx'
import type { LabelsState } from './labelsStore.ts'

/** Renders the open dialog about labels. */
export default function LabelDialogs({ dialog }: { dialog: LabelsState['dialog'] }) {
  switch (dialog.name) {
    case 'edit':
      return <LabelDialog address={dialog.address} />
    case 'offer':
    case 'clear':
      return <ConfirmDialog about={dialog.name} />
    case 'closed':
      return null
  }
}
