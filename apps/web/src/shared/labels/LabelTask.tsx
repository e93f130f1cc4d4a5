import { AskDialog } from './AskDialog.tsx'
import { LabelDialog } from './LabelDialog.tsx'
import type { LabelsState } from './labels.ts'

/** The dialog of what the person is asked. */
export default function LabelTask({ task }: { task: LabelsState['task'] }) {
  switch (task.name) {
    case 'edit':
      return <LabelDialog address={task.address} />
    case 'offer':
    case 'clear':
      return <AskDialog about={task.name} />
    default:
      return null
  }
}
