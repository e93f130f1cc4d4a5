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

/** What a dialog is doing, in one sentence: its description, and read out whenever it changes. */
export function LiveStatus({ id, children }: { id: string; children: string }) {
  return (
    <VisuallyHidden id={id} role="status">
      {children}
    </VisuallyHidden>
  )
}
