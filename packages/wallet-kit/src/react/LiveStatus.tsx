import { styled } from '@mui/material/styles'

/** For screen readers alone. */
export const VisuallyHidden = styled('span')({
  position: 'absolute',
  width: 1,
  height: 1,
  overflow: 'hidden',
  clipPath: 'inset(50%)',
  whiteSpace: 'nowrap',
})

export type LiveStatusProps = {
  /** Of the dialog's description. */
  id: string
  /** What the dialog is for. Read when it opens. Default: its status. */
  description?: string
  /** What it is doing, in one sentence: read out whenever it changes. Nothing while there is nothing to say. */
  children?: string | undefined
}

/** A dialog's description, and what it has to say meanwhile. */
export function LiveStatus({ id, children, description = children }: LiveStatusProps) {
  return (
    <>
      <span id={id} hidden>
        {description}
      </span>
      <VisuallyHidden role="status">{children}</VisuallyHidden>
    </>
  )
}
