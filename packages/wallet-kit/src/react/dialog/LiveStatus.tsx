import { VisuallyHidden } from './VisuallyHidden.ts'

type LiveStatusProps = {
  /** Id of the dialog's description. */
  id: string
  /** Read when the dialog opens. Default: the status. */
  description?: string
  /** The status in one sentence, read whenever it changes. */
  children?: string | undefined
}

/** Renders a dialog's description and status for screen readers. */
export function LiveStatus({ id, children, description = children }: LiveStatusProps) {
  return (
    <>
      {/* Inline, because rules of the page for every element win over `hidden`. */}
      <span id={id} style={{ display: 'none' }}>
        {description}
      </span>
      <VisuallyHidden role="status">{children}</VisuallyHidden>
    </>
  )
}
