import { type ReactNode, useId } from 'react'
import { DialogFrame, type DialogFrameProps } from './DialogFrame.tsx'
import { Description, DialogHeader } from './dialogParts.tsx'

/** Whether a dialog is open, its element and window, and what is called once it has faded out, and when the page hides it. */
export type DialogProps = Pick<DialogFrameProps, 'open' | 'onExited' | 'onHidden' | 'dialogRef' | 'view'>

type PlainDialogProps = DialogProps & {
  title: string
  /** Id of the dialog's description. */
  statusId: string
  /** Read when the dialog opens. Default: the status. */
  description?: string
  /** Read whenever it changes. */
  status: string | undefined
  children: ReactNode
}

/** Renders a dialog with one column below its title, on a phone as a sheet. */
export function PlainDialog({ title, statusId, status, description = status, children, ...frame }: PlainDialogProps) {
  const titleId = useId()
  return (
    <DialogFrame {...frame} labelledBy={titleId} describedBy={statusId} width={360}>
      <Description id={statusId}>{description}</Description>
      <div className="wk-column wk-own">
        <DialogHeader title={title} titleId={titleId} status={status} />
        {children}
      </div>
    </DialogFrame>
  )
}
