/** Hides an element from view; screen readers still read it. */
export const visuallyHidden = {
  position: 'absolute',
  width: 1,
  height: 1,
  margin: 0,
  overflow: 'hidden',
  clipPath: 'inset(50%)',
} as const
