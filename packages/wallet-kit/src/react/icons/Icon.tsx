const paths = {
  close: 'M6 6l12 12M18 6L6 18',
  back: 'M15 5l-7 7 7 7',
  check: 'M5 12.5l4.5 4.5L19 7.5',
  copy: 'M9 9h10v11H9zM15 9V4H5v11h4',
  external: 'M9 6H5.5v12.5H18V15M13 5h6v6M19 5l-8.5 8.5',
  leave: 'M14 5H5v14h9M10 12h10M16.5 8.5L20 12l-3.5 3.5',
  next: 'M9 5l7 7-7 7',
  pending: 'M12 4.5a7.5 7.5 0 1 1-7.5 7.5',
  search: 'M10.5 4.5a6 6 0 1 1 0 12 6 6 0 0 1 0-12zM15 15l5 5',
}

/** Icons that are mirrored in right-to-left languages. */
const directional: (keyof typeof paths)[] = ['back', 'next', 'external', 'leave']

/** Draws an interface icon. Decorative: the button around it has a name. */
export function Icon({ name, size = 20 }: { name: keyof typeof paths; size?: number }) {
  return (
    <svg
      className="wk-own"
      width={size}
      height={size}
      viewBox="0 0 24 24"
      fill="none"
      stroke="currentColor"
      strokeWidth="1.6"
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
      focusable="false"
      data-points={directional.includes(name) || undefined}
    >
      <path className="wk-own" d={paths[name]} />
    </svg>
  )
}
